// One migration for each version. A released migration never changes.
export const migrations: readonly string[] = [
  `
  CREATE TABLE state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO state VALUES ('epoch', 0), ('layout', 0), ('vectors', 0);

  CREATE TABLE sources (id TEXT PRIMARY KEY, facts TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    format TEXT NOT NULL,
    language TEXT,
    hash TEXT NOT NULL,
    size INTEGER,
    mtime REAL,
    read_at REAL NOT NULL,
    chars INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    chunk_count INTEGER NOT NULL,
    tags TEXT NOT NULL,
    facts TEXT NOT NULL
  );
  CREATE UNIQUE INDEX documents_by_ref ON documents (source, path);
  CREATE INDEX documents_by_reading ON documents (read_at DESC, source, path);

  -- Apart from the documents, so that walking those stays cheap. UTF-8 bytes: text may hold NUL.
  CREATE TABLE texts (document INTEGER PRIMARY KEY, body BLOB NOT NULL, sections TEXT NOT NULL, links TEXT NOT NULL);

  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    ix INTEGER NOT NULL,
    kind TEXT NOT NULL,
    language TEXT,
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    -- The same in bytes of the text's UTF-8, so that a passage is read without the rest of its document.
    first_byte INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    headings TEXT NOT NULL,
    symbols TEXT NOT NULL,
    context TEXT NOT NULL,
    hash TEXT NOT NULL
  );
  CREATE INDEX chunks_by_document ON chunks (document, ix);
  CREATE INDEX chunks_by_hash ON chunks (hash);

  -- The words: immutable segments of posting lists, merged as they grow. See postings.ts for the blocks.
  CREATE TABLE segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    chunks INTEGER NOT NULL,
    directory BLOB NOT NULL,
    dead BLOB NOT NULL,
    dead_count INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE blocks (segment INTEGER NOT NULL, "first" TEXT NOT NULL, data BLOB NOT NULL);
  CREATE UNIQUE INDEX blocks_by_term ON blocks (segment, "first");

  CREATE TABLE spaces (id INTEGER PRIMARY KEY AUTOINCREMENT, model TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL);
  CREATE TABLE vectors (
    space INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    scale REAL NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (space, chunk)
  ) WITHOUT ROWID;
  -- Narrow rows, for counting.
  CREATE INDEX vectors_by_space ON vectors (space);
  -- The vectors' signs, packed by the batch: a million of them load in a moment. Rows of chunks that are gone stay until
  -- the next settling; readers know which chunks live.
  CREATE TABLE signs (id INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, chunks BLOB NOT NULL, bits BLOB NOT NULL);

  CREATE TABLE records (kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, facts TEXT NOT NULL, until REAL NOT NULL) WITHOUT ROWID;
  `,
  // Unknown for files that were read before: the indexer compares the bytes of such a file once.
  `
  ALTER TABLE documents ADD COLUMN ctime REAL;
  -- Too large for an integer of ours on some systems.
  ALTER TABLE documents ADD COLUMN ino REAL;
  `,
  // A checksum for every row; checksums.ts lists the columns. Existing rows are assumed to be intact.
  `
  ALTER TABLE sources ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  UPDATE sources SET sum = carrel_sum(id, facts);

  ALTER TABLE documents ADD COLUMN name_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE documents ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  UPDATE documents SET name_sum = carrel_sum(source, path, title, format, chunk_count);
  UPDATE documents SET sum = carrel_sum(name_sum, language, hash, size, mtime, ctime, ino, read_at, chars, lines, tags, facts);

  ALTER TABLE texts ADD COLUMN body_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE texts ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  UPDATE texts SET body_sum = carrel_sum(body), sum = carrel_sum(document, sections, links, carrel_sum(body));

  ALTER TABLE chunks ADD COLUMN text_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE chunks ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  UPDATE chunks SET text_sum =
    carrel_sum(substr((SELECT body FROM texts t WHERE t.document = chunks.document), first_byte + 1, bytes));
  UPDATE chunks SET sum = carrel_sum(hash, document, ix, kind, language, "start", "end", first_byte, bytes, line,
    end_line, headings, symbols, context, text_sum);

  ALTER TABLE segments ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE segments ADD COLUMN dead_sum INTEGER NOT NULL DEFAULT 0;
  UPDATE segments SET sum = carrel_sum(chunks, directory), dead_sum = carrel_sum(dead, dead_count);
  ALTER TABLE blocks ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  UPDATE blocks SET sum = carrel_sum(segment, "first", data);

  ALTER TABLE spaces ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  UPDATE spaces SET sum = carrel_sum(model, dimensions);
  ALTER TABLE vectors ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  UPDATE vectors SET sum = carrel_sum(space, chunk, scale, data);
  ALTER TABLE signs ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  UPDATE signs SET sum = carrel_sum(space, chunks, bits);

  ALTER TABLE records ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
  UPDATE records SET sum = carrel_sum(kind, id, value);
  `,
  // Texts are packed (packed-text.ts, packed-lists.ts). -1 is no checksum: damage found here stays damage.
  `
  UPDATE texts SET
    body_sum = iif(body_sum = carrel_sum(body), carrel_sum(carrel_pack_text(body)), -1),
    sum = iif(sum = carrel_sum(document, sections, links, body_sum), 0, -1),
    body = iif(length(body) = 0, body, carrel_pack_text(body)),
    sections = carrel_pack_sections(sections),
    links = carrel_pack_links(links);
  UPDATE texts SET sum = carrel_sum(document, sections, links, body_sum) WHERE sum = 0;
  `,
  // Several worktrees may share the documents (worktree-documents.ts), and then have a path in several versions. `reader`: the
  // version of the reader that made a document from its file's bytes alone; 0: other worktrees cannot take it over.
  `
  DROP INDEX documents_by_ref;
  CREATE INDEX documents_by_ref ON documents (source, path);
  ALTER TABLE documents ADD COLUMN reader INTEGER NOT NULL DEFAULT 0;
  UPDATE documents SET sum = iif(
    sum = carrel_sum(name_sum, language, hash, size, mtime, ctime, ino, read_at, chars, lines, tags, facts),
    carrel_sum(name_sum, language, hash, size, mtime, ctime, ino, read_at, chars, lines, tags, facts, reader),
    -1);
  CREATE TABLE worktrees (id TEXT PRIMARY KEY, place TEXT NOT NULL, version INTEGER NOT NULL, sum INTEGER NOT NULL)
    WITHOUT ROWID;
  CREATE TABLE worktree_documents (
    worktree TEXT NOT NULL,
    page INTEGER NOT NULL,
    version INTEGER NOT NULL,
    data BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (worktree, page)
  ) WITHOUT ROWID;
  `,
]
