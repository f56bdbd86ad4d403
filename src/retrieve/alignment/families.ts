// Things that are chosen one or the other: who picks one of a family for a purpose does not pick its neighbour. What any
// engineer knows about names, and nothing about any one record.

/** Which members of which families a text names. */
export function membersIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const plain = text.toLowerCase().replace(/[‘’]/g, "'")
  for (const [family, members] of compiled) {
    const named = [...plain.matchAll(members)].map(([name]) => sameName(name))
    if (named.length > 0) found.set(family, new Set(named))
  }
  return found
}

function sameName(name: string): string {
  const plain = name.replace(/[\s._-]+/g, ' ').replace(/s$/, '')
  return aliases[plain] ?? plain
}

const aliases: Readonly<Record<string, string>> = {
  golang: 'go',
  postgre: 'postgres',
  postgresql: 'postgres',
  jenkin: 'jenkins',
  kubernete: 'kubernetes',
  redi: 'redis',
  k8: 'kubernetes',
  protobuf: 'protocol buffer',
  proto: 'protocol buffer',
  'x86 64': 'x86',
  intel: 'x86',
  amd64: 'x86',
  arm64: 'arm',
  graviton: 'arm',
  'argo cd': 'argo',
  argocd: 'argo',
  'argo workflow': 'argo',
  'open policy agent': 'opa',
  gatekeeper: 'opa',
  rego: 'opa',
  'iam identity center': 'sso',
  'single sign on': 'sso',
  'aws sso': 'sso',
  lambda: 'serverless',
  'functions as a service': 'serverless',
  'virtual machine': 'vm',
  ec2: 'vm',
  reactjs: 'react',
  hyphen: 'dash',
  'yaml front matter': 'front matter',
  frontmatter: 'front matter',
  'a d r': 'adr',
  'eks managed': 'eks',
  'amazon eks': 'eks',
}

const families: readonly (readonly [family: string, members: string])[] = [
  [
    'build service',
    'jenkins|gitlab ci|github actions?|circle ?ci|travis(?: ci)?|concourse|argo(?: ?cd| workflows?)?|kargo|tekton|drone ci|buildkite|teamcity|azure (?:devops|pipelines)|flux(?: ?cd)?|spinnaker|bamboo|code ?(?:pipeline|build)|makefiles?|cron jobs?',
  ],
  [
    'code host',
    'github(?! (?:actions?|container|topics?|packages|pages|flow|repository|login|identity))|gitlab(?! ci)|bitbucket|gitea|code ?commit|sourcehut|gerrit',
  ],
  [
    'place for documents',
    'confluence|wiki|google docs?|sharepoint|notion|slack|chat|e-?mails?|trello|jira|git(?:hub)? repository|google drive|spreadsheets?',
  ],
  [
    'configuration language',
    'ya?ml|json(?:net)?|toml|hcl|cue|pkl|dhall|ini files?|xml|edn|kcl|starlark|environment variables|properties files?',
  ],
  [
    'packaging',
    'helm(?: charts?)?|kustomize|plain manifests?|raw manifests?|tanka|ytt|carvel|kompose|docker[- ]compose',
  ],
  [
    'infrastructure code',
    'terraform|opentofu|pulumi|cloud ?formation|(?:aws )?cdk|crossplane|ansible|chef|puppet|saltstack|bicep|click ?ops',
  ],
  ['cluster', 'amazon eks|eks|kops|gke|aks|kubeadm|rancher|openshift|nomad|docker swarm|ecs|k3s|kubespray'],
  [
    'compute',
    'lambda|serverless|functions[- ]as[- ]a[- ]service|fargate|virtual machines?|vms?|ec2|bare metal|containers?|managed node(?:s| groups?)',
  ],
  [
    'autoscaler',
    'karpenter|(?:kubernetes )?cluster autoscaler|cluster auto scaler|keda|eks auto mode|prometheus adapter|escalator',
  ],
  [
    'policy engine',
    'opa|open policy agent|gatekeeper|rego|kyverno|cel|admission policy|admission policies|conftest|kubewarden|pod security policies|polaris',
  ],
  [
    'secret store',
    'kubernetes-external-secrets|external[- ]secrets|sealed[- ]secrets|(?:hashicorp )?vault|sops|secrets? ?manager|parameter store|secrets store csi(?: driver)?|git-crypt|keyring|keybase|keychain|1password|\\.env files?',
  ],
  [
    'ingress',
    'nginx|traefik|haproxy|envoy|istio|contour|kong|(?:aws )?load balancer controller|gateway api|ambassador|skipper|api gateway|caddy|apache',
  ],
  [
    'registry',
    'ecr|docker ?hub|quay|ghcr|harbor|artifactory|gcr|nexus|github (?:packages|container registry)|self[- ]hosted (?:docker )?registry|docker registry',
  ],
  [
    'identity',
    'dex|auth0|okta|cognito|keycloak|azure ad|entra|ldap|active directory|aws sso|single sign-on|sso|iam identity center|basic auth',
  ],
  [
    'credential',
    'access keys?|iam users?|passwords?|iam roles?|pod identity|irsa|certificates?|api keys?|service account tokens?|ssh keys?|single sign-on|sso',
  ],
  ['log shipper', 'fluentd|fluent ?bit|logstash|filebeat|promtail|rsyslog|vector agent'],
  ['log store', 'elasticsearch|opensearch|loki|splunk|cloudwatch|graylog|logit|papertrail|sumo logic'],
  [
    'metrics',
    'managed prometheus|amp|prometheus|influxdb|graphite|statsd|datadog|new relic|cloudwatch|victoria ?metrics|mimir|nagios|zabbix|opentelemetry|telegraf|dynatrace',
  ],
  [
    'database',
    'postgres(?:ql)?|mysql|mariadb|oracle|sql server|sqlite|mongo(?:db)?|dynamodb|cassandra|cockroachdb|redis|datomic|datascript|go ?leveldb|leveldb|rocksdb|badger(?:db)?|boltdb|bbolt|couchdb|neo4j|firestore|rdf|pebble(?:db)?|clickhouse|duckdb|h2|xtdb',
  ],
  ['tree', 'iavl|smt|sparse merkle(?: tree)?|jmt|jellyfish merkle|verkle|patricia|radix tree|b-?tree'],
  [
    'broker',
    'kafka|rabbitmq|sqs|sns|nats|redis streams|pulsar|kinesis|activemq|pub/?sub|polling|webhooks?|event ?bridge|zeromq',
  ],
  [
    'encoding',
    'protobuf|protocol buffers?|proto|amino|json|cbor|rlp|message ?pack|msgpack|avro|thrift|borsh|ssz|xml|bson|flatbuffers|cap.?n proto|transit|gob|asn\\.1|csv|parquet',
  ],
  ['interface', 'rest(?:ful)?|grpc|graphql|soap|json-rpc|websockets?|server-sent events|odata'],
  [
    'language',
    'java|kotlin|go|golang|rust|python|ruby|javascript|typescript|c#|scala|clojure(?:script)?|php|elixir|swift|bash|shell scripts?|perl|haskell|lua|groovy|c\\+\\+',
  ],
  [
    'site builder',
    'next\\.?js|gatsby|nuxt|remix|astro|gridsome|hugo|jekyll|eleventy|docusaurus|mkdocs|create[- ]react[- ]app|sphinx|vuepress|hexo|gitbook|docsify',
  ],
  ['front end', 'react|vue|angular|svelte|solid\\.?js|preact|ember|lit|backbone|jquery|htmx|elm'],
  [
    'component form',
    'class components?|classes|hooks|function(?:al)? components?|higher-order components?|render props|mixins',
  ],
  [
    'style sheet',
    'tailwind|sass|scss|css modules|styled[- ]components|emotion|material[- ]ui|mui|bootstrap|jss|chakra|ant design|plain css|less',
  ],
  [
    'bundler',
    'webpack|rollup|vite|esbuild|parcel|boot|leiningen|lein|grunt|gulp|gradle|maven|ant|bazel|sbt|cargo|cmake|swc|babel',
  ],
  ['package manager', 'npm|yarn|pnpm|bower|bun|homebrew|pip|poetry|docker image|standalone binary|npx'],
  ['monorepo tool', 'lerna|nx|turborepo|rush|yarn workspaces?|pnpm workspaces?|npm workspaces?'],
  [
    'code style',
    'airbnb|standard ?js|google(?: code)? style|google|xo|tslint|biome|prettier only|eslint only',
  ],
  [
    'test tool',
    'rspec|jest|mocha|vitest|jasmine|ava|junit|testng|pytest|cypress|playwright|selenium|ginkgo|bats|cucumber|minitest|terratest|inspec|go test|unittest|tape|qunit|k6|jmeter|gatling',
  ],
  [
    'test double',
    'mocks?|mocked|stubs?|fakes?|whole app|full app(?:lication)?|real database|live service|simapp',
  ],
  [
    'search engine',
    'lunr|algolia|elasticlunr|fuse\\.?js|flexsearch|mini ?search|elasticsearch|solr|typesense|meilisearch|google(?: custom)? search|grep|server[- ]side search|pagefind',
  ],
  [
    'wiring',
    'awilix|inversify|tsyringe|integrant|component library|mount library|spring|guice|dagger|typedi|google wire|uber fx|depinject|service locator|by hand|global singletons?|stuart sierra',
  ],
  [
    'licence',
    'mit licen[cs]e|apache(?: 2| licen[cs]e)|a?gpl|lgpl|cc0|bsd|mpl|cc[- ]by|mit|unlicense|proprietary',
  ],
  [
    'version scheme',
    'sem(?:antic )?ver(?:sioning)?|calver|calendar versioning|date-based versions?|zerover|git hashes',
  ],
  ['branching', 'trunk[- ]based|git ?flow|github flow|feature branch(?:es)?|release branch(?:es)?|forks?'],
  [
    'record form',
    'madr|nygard|y-statements?|arc42|alexandrian|tyree|formless|rfcs?|adr-tools|adr-j|planguage|google docs?|free text',
  ],
  ['hash', 'sha-?256|sha-?512|sha-?1|blake2?b?|md5|bcrypt|argon2|scrypt|pbkdf2|keccak|ripemd|xxhash|crc32'],
  ['signature', 'secp256k1|secp256r1|ed25519|sr25519|bls|rsa|ecdsa|schnorr|hmac'],
  [
    'cloud',
    'aws|amazon web services|azure|gcp|google cloud|digital ?ocean|heroku|on[- ]prem(?:ises)?|openstack|vmware',
  ],
  ['edge', 'cloudflare|fastly|akamai|cloudfront|bunny'],
  [
    'markup',
    'markdown|asciidoc|restructured ?text|html|latex|word documents?|mdx|org-mode|plain text|gfm|commonmark|docx|pdf',
  ],
  ['processor', 'x86(?:_64)?|intel|amd64|arm(?:64)?|graviton|risc-v|gpu'],
  ['system', 'linux|windows|macos|ubuntu|alpine|debian|amazon linux|bottlerocket|fedora|centos|flatcar'],
  [
    'database access',
    'orm|raw sql|query builder|stored procedures?|active record|data mapper|hibernate|jdbc|collections',
  ],
  [
    'identifier',
    'sequential numbers?|numbers?|slugs?|uuids?|letters?|file ?names?|hash(?:es)?|dates?|titles?|names?',
  ],
  [
    'mark',
    'asterisks?|dash(?:es)?|hyphens?|plus(?: signs?)?|underscores?|camel ?case|kebab ?case|snake ?case|pascal ?case',
  ],
  [
    'bracket',
    'curly braces|curly brackets|square brackets|angle brackets|round brackets|parentheses|mustaches?|backticks',
  ],
  [
    'place in a page',
    'front ?matter|yaml front matter|headings?|badges?|tables?|text lines?|bullet(?: list| point)?s?|section|appendix|footnotes?|footer|sidebar|comments?|emoji',
  ],
  ['exports', 'default exports?|export default|named exports?|commonjs|es modules?|require'],
  ['type form', 'interfaces?|type aliases|react\\.s?fc|prop ?types|any type|enums?|union types?|generics'],
  ['review', 'pull requests?|mailing lists?|pair programming|code review|direct pushes|merge requests?'],
  ['grouping', 'by feature|by domain|by (?:technical )?(?:type|kind|role)|by layer|by team|by package|flat'],
  [
    'style of system',
    'monolith|micro-?services?|modular monolith|event sourcing|cqrs|hexagonal|onion|clean architecture|layered|mvc|crud|actor model|active record',
  ],
  [
    'client network',
    'vpn|bastion|jump (?:host|box)|internet|ip allow-?list|zero trust|transit gateway|vpc peering|private ?link',
  ],
  ['voting', 'quadratic voting|one vote|split votes?|weighted votes?|majority|quorum|veto'],
]

const compiled: readonly (readonly [string, RegExp])[] = families.map(([family, members]) => [
  family,
  new RegExp(`(?<![a-z0-9_-])(?:${members})(?![a-z0-9_]|-[a-z])`, 'g'),
])
