// Secrets that are known by their own form: what issuers put in front of them, so that they can be told from anything
// else. Every pattern has a literal near its start and repeats single character classes, so that hostile text is cheap.

export interface SecretForm {
  what: string
  pattern: RegExp
}

const word = '[A-Za-z0-9_-]'
const alnum = '[A-Za-z0-9]'
const hex = '[a-f0-9]'
const uuid = `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`

/** A form of its own, or several of one issuer. A word must not begin before it. */
function form(what: string, ...patterns: string[]): SecretForm {
  return { what, pattern: new RegExp(`(?<![A-Za-z0-9])(?:${patterns.join('|')})`, 'g') }
}

export const secretForms: readonly SecretForm[] = [
  form('JWT', `eyJ${word}{8,}\\.eyJ${word}{8,}\\.${word}{8,}`),

  // Models
  form('Anthropic key', `sk-ant-${word}{20,}`),
  form('OpenRouter key', `sk-or-${word}{20,}`),
  form('OpenAI key', `sk-(?:proj-|svcacct-|admin-)?${word}{20,}`),
  form('Groq key', `gsk_${alnum}{40,}`),
  form('Perplexity key', `pplx-${alnum}{40,}`),
  form('xAI key', `xai-${alnum}{40,}`),
  form('Hugging Face token', `hf_${alnum}{30,}`, `api_org_${alnum}{30,}`),
  form('Replicate token', `r8_${alnum}{30,}`),
  form('Fireworks key', `fw_${alnum}{20,}`),
  form('LangSmith key', `lsv2_(?:pt|sk)_${hex}{32}_${hex}{10}`),
  form('Pinecone key', `pcsk_[A-Za-z0-9_]{40,}`),
  form('Jina key', `jina_${word}{40,}`),
  form('Voyage key', `pa-${word}{40,}`),
  form('NVIDIA key', `nvapi-${word}{40,}`),
  form('Together key', `tgp_v1_${word}{40,}`),
  form('Cerebras key', 'csk-[a-z0-9]{40,}'),
  form('Tavily key', `tvly-${word}{20,}`),
  form('ElevenLabs key', `sk_${hex}{48}`),

  // Code hosts and registries
  form('GitHub token', `gh[pousr]_${alnum}{30,}`, 'github_pat_[A-Za-z0-9_]{22,}'),
  form(
    'GitLab token',
    'gl(?:pat|oas|dt|rt|cbt|ptt|ft|soat|imt|agent)-[A-Za-z0-9_.-]{16,}',
    `GR1348941${word}{20,}`,
  ),
  form('Bitbucket token', `ATBB${alnum}{28,}`),
  form('Atlassian token', 'ATATT3[A-Za-z0-9_=-]{50,}'),
  form('npm token', `npm_${alnum}{36}`),
  form('PyPI token', `pypi-${word}{50,}`),
  form('RubyGems key', `rubygems_${hex}{48}`),
  form('crates.io token', `cio${alnum}{32}(?![A-Za-z0-9])`),
  form('NuGet key', 'oy2[a-z0-9]{43}(?![A-Za-z0-9])'),
  form('Docker token', `dckr_(?:pat|oat)_${word}{20,}`),
  form('Clojars token', 'CLOJARS_[a-z0-9]{60}'),
  form('JFrog key', `AKCp[0-9]${alnum}{60,}`),
  form('CircleCI token', `CCI(?:PAT|PRJ)_${alnum}{20,}_${hex}{40}`),
  form('Buildkite token', `bk[a-z]{2}_${hex}{40}`),
  form('Snyk token', `snyk_[us]at\\.${alnum}{8}\\.[A-Za-z0-9_.-]{40,}`),
  form('SonarQube token', `sq[pua]_${hex}{40}`),

  // Clouds
  form('AWS key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])', 'ABSK[A-Za-z0-9+/]{60,}={0,2}'),
  form(
    'Google key',
    `AIza${word}{35}`,
    `ya29\\.${word}{20,}`,
    `GOCSPX-${word}{20,}`,
    `1//0${word}{35,}`,
    `AAAA${word}{7}:APA91b${word}{60,}`,
  ),
  form(
    'Azure key',
    '(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}',
    `[A-Za-z0-9_~.]{3}8Q~[A-Za-z0-9_~.-]{31,34}`,
    `${alnum}{52}JQQJ99${alnum}{20,}`,
    `${alnum}{76}AZDO${alnum}{4}`,
  ),
  form('DigitalOcean token', `do[opr]_v1_${hex}{64}`),
  form('Alibaba key', `LTAI${alnum}{12,20}(?![A-Za-z0-9])`),
  form('Tencent key', `AKID${alnum}{32}(?![A-Za-z0-9])`),
  form('Heroku key', `HRKU-${word}{30,}`),
  form('Netlify token', `nfp_${alnum}{30,}`),
  form('Vercel token', 'vercel_blob_rw_[A-Za-z0-9_]{20,}', `vcp_${alnum}{20,}`),
  form('Fly token', `fo1_${word}{40,}`, 'fm[12]_[A-Za-z0-9+/=,_-]{60,}'),
  form('Render key', `rnd_${alnum}{20,}`),
  form('Cloudflare key', `v1\\.0-${hex}{24}-${hex}{146}`),
  form('Supabase key', `sbp_${hex}{40}`, `sb_secret_${word}{20,}`),
  form('PlanetScale token', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,}'),
  form('Neon key', 'napi_[a-z0-9]{40,}'),
  form('Databricks token', `dapi${hex}{32}(?![a-f0-9])`),
  form('Terraform token', `${alnum}{14}\\.atlasv1\\.${word}{60,}`),
  form('Pulumi token', `pul-${hex}{40}`),
  form('Doppler token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9.]{40,}'),
  form('Vault token', `hv[sbr]\\.${word}{24,}`),
  form('1Password token', 'ops_eyJ[A-Za-z0-9+/=_-]{60,}'),
  form('Prefect key', 'pn[ub]_[a-z0-9]{36}'),
  form('Tailscale key', `tskey-[a-z]{3,12}-${alnum}{8,}-${alnum}{20,}`, `tskey-[a-z]{3,12}-${alnum}{30,}`),
  form('age key', 'AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{40,}'),

  // Talk
  form('Slack token', 'xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,}', 'xapp-[0-9]-[A-Za-z0-9-]{10,}'),
  form('Slack webhook', 'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}'),
  form('Discord webhook', `(?:(?:ptb|canary)\\.)?discord(?:app)?\\.com/api/webhooks/[0-9]{15,}/${word}{20,}`),
  form('Discord token', `[MNO]${word}{23,25}\\.${word}{6}\\.${word}{27,38}(?![A-Za-z0-9_-])`),
  form('Teams webhook', 'webhook\\.office\\.com/webhookb2/[A-Za-z0-9@/-]{40,}'),
  form('Telegram token', `[0-9]{8,10}:AA${word}{33}(?![A-Za-z0-9_-])`),
  form('Facebook token', `EAA[A-Z]${alnum}{80,}`),
  form('Twilio key', `SK${hex}{32}(?![a-f0-9])`),

  // Mail and money
  form('SendGrid key', `SG\\.${word}{16,32}\\.${word}{32,64}`),
  form('Resend key', `re_${alnum}{8}_${alnum}{20,}`),
  form('Mailgun key', `key-${hex}{32}(?![a-f0-9])`, `${hex}{32}-${hex}{8}-${hex}{8}(?![a-f0-9-])`),
  form('Mailchimp key', `${hex}{32}-us[0-9]{1,2}(?![0-9])`),
  form('Brevo key', `xkeysib-${hex}{64}-${alnum}{16}`),
  form('Stripe key', `(?:sk|rk|pk)_(?:live|test)_${alnum}{10,}`, 'whsec_[A-Za-z0-9+/=]{20,}'),
  form('Square token', `sq0(?:atp|csp|idp)-${word}{22,}`),
  form('Braintree token', `access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$${hex}{32}`),
  form('Plaid token', `access-(?:sandbox|development|production)-${uuid}`),
  form('Shippo token', `shippo_(?:live|test)_${hex}{40}`),
  form('EasyPost key', `EZ[AT]K${alnum}{54}`),
  form('Shopify token', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'),

  // Watching and working
  form('Grafana token', 'glc_[A-Za-z0-9+/=]{32,}', `glsa_${alnum}{32}_[a-fA-F0-9]{8}`),
  form('New Relic key', 'NR(?:AK|JS|II|RA)-[A-Za-z0-9_-]{20,}'),
  form('Sentry token', `sntry[su]_[A-Za-z0-9+/=_-]{40,}`),
  form('Dynatrace token', 'dt0[a-z][0-9]{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  form('PostHog key', `ph[xs]_${alnum}{40,}`),
  form('Linear key', `lin_(?:api|oauth)_${alnum}{32,}`),
  form('Notion token', `secret_${alnum}{43}(?![A-Za-z0-9])`, `ntn_${alnum}{40,}`),
  form('Airtable token', `pat${alnum}{14}\\.${hex}{64}`),
  form('Asana token', `[0-9]/[0-9]{13,20}(?:/[0-9]{13,20})?:${hex}{32}`),
  form('Figma token', `fig[dour]_${word}{40,}`),
  form('HubSpot token', `pat-(?:na|eu)[0-9]-${uuid}`),
  form('Postman key', `PMAK-${hex}{24}-${hex}{34}`),
  form('Contentful token', `CFPAT-${word}{43}`),
  form('Mapbox token', `sk\\.eyJ${word}{20,}\\.${word}{20,}`),
  form('Dropbox token', `sl\\.(?:u\\.)?${word}{100,}`),
  form('Typeform token', `tfp_[A-Za-z0-9_.=-]{40,}`),
  form('Okta token', `SSWS 00${word}{30,}`),
]

/** Found by their fences, whatever is between them; without the second, up to the next hyphen below its headers. */
export const fencedSecrets: readonly SecretForm[] = [
  {
    what: 'private key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]*(?:-(?!----)[^-]*)*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:\r?\n[A-Za-z-]{3,20}:[^\r\n]{0,200})*[^-]*)/g,
  },
  {
    what: 'private key',
    pattern:
      /PuTTY-User-Key-File-[0-9]: [^\r\n]{1,100}(?:\r?\n[A-Za-z-]{3,20}: ?[^\r\n]{0,200}|\r?\n[A-Za-z0-9+/=]{1,80}){0,400}/g,
  },
]
