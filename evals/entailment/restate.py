"""Short and plain proposals made from a record's own sentences: said again, turned round, or with a neighbour in the place of what
was chosen. What people write by hand is longer and trickier, and a model that reads nothing else takes "Keep delivering at least
once" for a departure from "Deliver at least once"."""
import re

FAMILIES = [
    names.split('|')
    for names in (
        'PostgreSQL|MySQL|MariaDB|MongoDB|Oracle|SQL Server|SQLite|DynamoDB|Cassandra|CockroachDB',
        'Redis|Memcached|Valkey|Hazelcast',
        'Kafka|RabbitMQ|NATS|ActiveMQ|SQS|Pulsar',
        'TypeScript|Go|Python|Java|Kotlin|Rust|Ruby|PHP|Elixir|Scala|Clojure',
        'React|Vue|Angular|Svelte|Preact|SolidJS',
        'GraphQL|REST|gRPC|SOAP|tRPC',
        'Kubernetes|Nomad|ECS|Docker Swarm',
        'Terraform|Pulumi|CloudFormation|Ansible',
        'GitHub Actions|GitLab CI|Jenkins|CircleCI|Buildkite',
        'AWS|Azure|Google Cloud|Hetzner',
        'Prometheus|Datadog|New Relic|CloudWatch',
        'Elasticsearch|OpenSearch|Solr|Meilisearch|Typesense',
        'JSON|YAML|XML|TOML|Protobuf|Avro|CSV',
        'Vault|AWS Secrets Manager|Azure Key Vault',
        'Keycloak|Auth0|Okta|Cognito',
        'pytest|unittest|Jest|Vitest|Mocha|JUnit',
        'npm|pnpm|Yarn|Bun',
        'Flutter|React Native|SwiftUI|Ionic',
        'UTC|local time',
        'Argo CD|Flux|Spinnaker',
        'Parquet|ORC|Delta Lake|Iceberg',
        'Sentry|Rollbar|Bugsnag',
        'English|German|French',
    )
]
CHOSEN = re.compile(r'^Chosen option: (.{2,70}?)\.?$')
REJECTED = re.compile(r'^(.{2,70}?) (?:was|were) rejected\.?$')
PICK = ['Use {}', 'Go with {}', 'Adopt {}', 'We use {} for this', '{} it is', 'Use {} for the new service', 'Introduce {}', 'Let us use {}', 'Build the next one with {}', 'Choose {}']
HOLD = ['Keep {}', 'Stay with {}', 'Stick with {}', 'Keep using {}', 'Continue with {}', 'We stay on {}', 'No change: {}']
REFUSE = ['Do not use {}', 'No {}', 'Drop {}', 'Stop using {}', 'Remove {}', 'Get rid of {}', 'Move away from {}', 'Anything but {}', 'We will not use {}', 'Do without {}', 'Replace {} with something else', 'Abandon {}']
SUBJECT = re.compile(r'^(?P<head>[^,;:()]{2,60}?) (?P<aux>is|are|will be|must be|has to be|have to be) (?P<rest>\w+(?:ed|en|wn|nt|pt|lt|ld|ept|ut|un|et|id|ung|ound)\b.*)$')
DOES = re.compile(r'^(?:We|The team) (?:will|must|shall) (?P<rest>[a-z]+ .*)$')
DENIED = re.compile(r"\b(?:not|never|no longer|no|nobody|nothing|without|only|unless|except|n't)\b", re.I)
CONDITION = re.compile(r'\b(?:if|when|whenever|where|unless|until|except|before|after|while|once|as soon as)\b', re.I)
CUT = re.compile(r',? (?:because|since|so that|which|and not|but|although|unless|except|instead of|rather than|in order to|when|while|where)\b.*$|[;:(].*$|, .*$')


def capital(text):
    return text[:1].upper() + text[1:]


def short(text):
    """The first clause, where it says enough."""
    cut = CUT.sub('', text.strip().rstrip('.')).strip()
    return cut if len(cut.split()) >= 3 else text.strip().rstrip('.')


def swapped(text, chance):
    """A neighbour in the place of the one name of a family."""
    for names in FAMILIES:
        found = [name for name in names if re.search(rf'(?<![\w-]){re.escape(name)}(?![\w-])', text)]
        if len(found) == 1:
            other = chance.choice([name for name in names if name != found[0]])
            return re.sub(rf'(?<![\w-]){re.escape(found[0])}(?![\w-])', other, text)
    return None


def of_option(sentence, chance):
    if chosen := CHOSEN.match(sentence):
        name = chosen[1].strip('"“” ')
        along, against = chance.sample(PICK + HOLD, 2), chance.sample(REFUSE, 2)
    elif rejected := REJECTED.match(sentence):
        name = rejected[1].strip('"“” ')
        along, against = chance.sample(REFUSE, 2), chance.sample(PICK + HOLD, 2)
    else:
        return None
    name = re.split(r': | – | with | because ', name)[0]
    return [(form.format(name), 's') for form in along] + [(form.format(name), 'c') for form in against]


def of_sentence(sentence, chance):
    if DENIED.search(sentence):
        return of_denial(sentence, chance)
    text = short(sentence)
    if len(text.split()) > 18 or CONDITION.search(sentence):
        return []
    out = []
    if passive := SUBJECT.match(text):
        head, rest = passive['head'], passive['rest']
        plural = passive['aux'] in ('are', 'have to be')
        low = head[:1].lower() + head[1:] if not head[1:2].isupper() else head
        out.append((chance.choice([text, f'{head} should be {rest}', f'{head} must be {rest}', f'Make sure {low} {"are" if plural else "is"} {rest}', f'Keep {low} {rest}', f'Have {low} {rest}']), 's'))
        out.append((chance.choice([f'{head} {"are" if plural else "is"} not {rest}', f'{head} {"are" if plural else "is"} no longer {rest}', f'{head} should not be {rest}', f'{head} need not be {rest}', f'Do not have {low} {rest}', f'{head} {"are" if plural else "is"} never {rest}']), 'c'))
    elif does := DOES.match(text):
        rest = does['rest']
        out.append((chance.choice([capital(rest), f'We {rest}', f'Let us {rest}', f'Go on: {rest}', f'I will {rest}']), 's'))
        out.append((chance.choice([f'Do not {rest}', f'No longer {rest}', f'We will not {rest}', f'We need not {rest}', f'Never {rest}']), 'c'))
    other = swapped(text, chance)
    if other and out:
        out.append((capital(re.sub(r'^(?:We|The team) (?:will|must|shall) ', '', other)), 'c'))
    return out


def of_denial(sentence, chance):
    text = sentence.strip().rstrip('.')
    if len(text.split()) > 16 or len(DENIED.findall(text)) != 1:
        return []
    if re.search(r'\b(?:only|unless|except|without|nobody|nothing|no longer|n\'t)\b', text, re.I):
        return [(text, 's')] if chance.random() < 0.3 else []
    if found := re.match(r'^(.{2,60}?) (?:must|may|can|will|shall|should) (?:not|never) (.+)$', text):
        subject, rest = found[1], found[2]
        low = subject if subject[1:2].isupper() else subject[:1].lower() + subject[1:]
        along = chance.choice([text, f'{subject} should never {rest}', f'Do not let {low} {rest}', f'Make sure {low} cannot {rest}'])
        against = chance.choice([f'{subject} may {rest}', f'Let {low} {rest}', f'{subject} will {rest}', f'{subject} should {rest}'])
        return [(along, 's'), (against, 'c')]
    if found := re.match(r'^(.{2,60}?) (is|are) (?:not|never) (.+)$', text):
        subject, verb, rest = found.groups()
        return [(chance.choice([text, f'{subject} should never be {rest}', f'{subject} {verb} still not {rest}']), 's'), (chance.choice([f'{subject} {verb} {rest}', f'{subject} may be {rest}', f'{subject} should be {rest}']), 'c')]
    if found := re.match(r'^We (?:do|will) not (.+)$', text):
        rest = found[1]
        return [(chance.choice([f'Do not {rest}', f'Never {rest}', f'We will not {rest}', f'Let us not {rest}']), 's'), (chance.choice([capital(rest), f'Let us {rest}', f'We will {rest}', f'{capital(rest)} after all']), 'c')]
    if found := re.match(r'^No (.+?)(?: (?:in|for|on|from|to|of|outside|before) .*)?$', text):
        rest = text[3:]
        return [(chance.choice([text, f'Still no {rest}', f'Keep out {rest}', f'Do not allow {rest}']), 's'), (chance.choice([f'Allow {rest}', f'Add {rest}', f'{capital(rest)} are fine', f'Introduce {rest}']), 'c')]
    return []


def of_title(title, chance):
    if DENIED.search(title):
        return of_denial(title, chance)
    title = title.strip().rstrip('.')
    found = re.match(r'^(?:\S*\d\S*:? )?(Use|Adopt|Choose|Keep|Move to|Switch to|Migrate to) (.+)$', title)
    if not found:
        return []
    rest = found[2]
    out = [(form.format(rest), 's') for form in chance.sample(PICK[:3] + HOLD, 1)] + [(form.format(rest), 'c') for form in chance.sample(REFUSE, 1)]
    other = swapped(rest, chance)
    return out + ([(chance.choice(PICK[:3] + ['Switch to {}', 'Move to {}']).format(other), 'c')] if other else [])


def low(text):
    return text if text[1:2].isupper() or text.split()[0] in ('I', 'UTC') else text[:1].lower() + text[1:]


def said(sentence):
    """A sentence as it stands, where it is short and without ifs and buts."""
    text = sentence.strip().rstrip('.')
    return text if 3 <= len(text.split()) <= 14 and not CONDITION.search(text) and not CHOSEN.match(sentence) else None


def put_together(made, record, chance):
    """Two points in one proposal: it follows if it follows in both, and breaks what it breaks in one."""
    points = [one for one in made if one['at'] != [0] and len(one['p'].split()) <= 14]
    points += [{'p': text, 'l': 's', 'at': [i + 1]} for i, one in enumerate(record['sentences']) if (text := said(one))]
    found = []
    for label in chance.sample('ccss', 4):
        some, good = ([one for one in points if one['l'] == wanted] for wanted in (label, 's'))
        one, other = chance.choice(some or [None]), chance.choice(good or [None])
        if one is None or other is None or one['at'] == other['at']:
            continue
        one, other = chance.sample([one, other], 2)
        form = chance.choice(['{} and {}', '{}, and {}', '{}; {}', '{} as well: {}', 'Two things: {}, and {}'])
        text = form.format(one['p'], low(other['p']))
        broken = [part['at'][0] for part in (one, other) if part['l'] == 'c']
        found.append({'p': text, 'l': 'c', 'at': broken} if broken else {'p': text, 'l': 's', 'at': one['at'] + other['at']})
    return found


def restated(record, chance):
    """Proposals as pairs/ has them, each pointing at what it was made from."""
    made = []
    for place, text in enumerate([record['title'], *record['sentences']]):
        pairs = of_title(text, chance) if place == 0 else of_option(text, chance)
        if pairs is None:
            pairs = of_sentence(text, chance)
        made += [{'p': proposal, 'l': label, 'at': [place]} for proposal, label in pairs]
    return made + put_together(made, record, chance)
