// The codes of errors and notes, in one table: what each means, and what to do. The reference page is generated from it, and
// a test fails when a code of the program is missing here.

export interface CodeEntry {
  meaning: string
  action: string
}

function entry(meaning: string, action: string): CodeEntry {
  return { meaning, action }
}

const retry = 'Try again in a moment.'
const correct = 'Correct the argument that the message names.'
const reinstall = 'Copy the model again, or use the bundled model.'

/** The codes of a `Problem` and of failed calls. */
export const errorCodes: Readonly<Record<string, CodeEntry>> = {
  usage: entry('The command line is wrong.', 'Follow the hint, or run the command with --help.'),
  invalid: entry('An argument is wrong.', correct),
  invalid_params: entry('An argument is wrong.', correct),
  missing: entry('A required argument is missing.', 'Add the argument that the message names.'),
  not_found: entry('Nothing has this name or id.', 'Use the name that the hint suggests, or search for it.'),
  ambiguous: entry('Several things have this name.', 'Use the id, or more of the name.'),
  exists: entry('Something with this name exists already.', 'Choose another name.'),
  conflict: entry('The file was changed in the meantime.', 'Read it again, then repeat the change.'),
  internal: entry(
    'Carrel has a bug.',
    'Run the command again with CARREL_DEBUG=1 and report what it prints.',
  ),
  internal_error: entry('Carrel has a bug.', "Read the server's log, and report the bug."),
  timeout: entry(
    'The call took too long and was stopped.',
    'Ask for less at once, or try again after indexing.',
  ),
  cancelled: entry('The caller cancelled the work.', 'Start it again if you need it.'),
  stopped: entry('The work was interrupted.', 'Run the command again.'),
  busy: entry('Too much is running at once.', retry),
  rate_limited: entry('The client made too many calls in a minute.', 'Wait as long as the message says.'),
  unavailable: entry('Something the tool needs does not answer.', 'Wait, then try again.'),
  unsupported: entry('Carrel does not read this kind of file.', 'Save it in a format that the hint names.'),
  too_large: entry(
    'The file or the input is larger than the limit.',
    'Split it, or raise the limit that the message names.',
  ),
  too_slow: entry('Reading the file took too long.', 'Raise limits.fileSeconds, or split the file.'),
  too_much_memory: entry('Reading the file took too much memory.', 'Split the file.'),
  crashed: entry('The converter crashed on this file.', 'Save the file again in another format.'),
  damaged: entry('The file is damaged.', 'Restore the file, or save it again.'),
  protected: entry(
    'The file is protected by a password or by digital rights management.',
    'Save a copy without it.',
  ),
  empty: entry('The file is empty.', 'Nothing, unless it should have content.'),
  binary: entry('The file is not text.', 'Exclude it, or convert it to text.'),
  unreadable: entry('The file cannot be read.', 'Check the path and its permissions.'),
  parser_missing: entry('A parser could not be loaded.', 'Install Carrel again.'),

  bad_configuration: entry('A setting is wrong.', 'Correct the key and file that the message names.'),
  bad_context: entry('context.json cannot be used.', 'Correct the file as the message says.'),
  no_folder: entry('A folder does not exist.', 'Correct the path, or mount the disk.'),
  no_file: entry('A file does not exist.', 'Correct the path.'),
  not_a_file: entry('The path is not a regular file that this user can read.', 'Name another file.'),
  list_failed: entry('The files of a folder could not be listed.', 'Run "carrel doctor".'),
  no_ripgrep: entry('The program ripgrep is missing.', 'Install the packages again, or put rg on the PATH.'),
  search_died: entry('A text search ended unexpectedly.', 'Search again.'),
  disk_full: entry('The disk is full.', 'Free some space and run the command again.'),

  data_folder: entry(
    'The data folder cannot be used.',
    'Follow the hint, or choose another one with --data.',
  ),
  no_data_folder: entry('The data folder does not exist any more.', 'Put it back, or start Carrel again.'),
  store_busy: entry(
    'Another process has been writing the index for a long time.',
    'Try again; "carrel doctor" shows who is indexing.',
  ),
  store_damaged: entry('The index is damaged.', 'Run "carrel doctor --repair".'),
  engine_in_use: entry('The engine is a server, which ends with its client.', 'Close the client.'),
  store_in_use: entry('Other processes have the index open.', 'Stop them, then repeat.'),
  store_io: entry('The disk reported an error.', 'Check the disk, then run "carrel doctor".'),
  store_newer: entry(
    'A newer version of Carrel made this index.',
    'Update Carrel, or choose another data folder with --data.',
  ),
  store_readonly: entry(
    'The index cannot be written.',
    'Make it writable, or choose another data folder with --data.',
  ),
  store_replaced: entry(
    'The index was deleted, moved or replaced while it was open.',
    'Start the server or the command again.',
  ),
  store_unopenable: entry('The index cannot be opened.', 'Check the folder and its permissions.'),
  closed: entry('The index was closed.', 'Start the server again.'),
  lease_lost: entry('Another process took over the work.', 'Run the command again.'),
  invalid_document: entry('A document cannot be stored.', 'Check the file that the message names.'),

  empty_query: entry('The query is empty.', 'Write what to look for.'),
  invalid_pattern: entry('The regular expression is invalid.', 'Correct the pattern.'),
  invalid_glob: entry('The file pattern is invalid.', 'Correct the pattern as the hint says.'),
  no_embeddings: entry('Nothing is indexed yet.', 'Run "carrel index".'),
  unknown_collection: entry('No collection has this name.', 'Use a name that "carrel list" shows.'),
  unknown_tool: entry(
    'No tool has this name, or it is switched off.',
    'Use a name that "carrel tool" shows.',
  ),
  unknown_name: entry('No tool or toolset has this name.', 'Use the name that the hint suggests.'),
  denied: entry('The file may contain secrets, so it is never read.', 'Name another file.'),
  outside: entry(
    'The path is outside the allowed folders.',
    'Copy the file into the project, or set uploadFolders.',
  ),
  elsewhere: entry('The document belongs to another source.', 'Leave source_id out.'),
  provider_error: entry('A note could not be read or written.', 'Follow the hint; it says what was changed.'),

  nothing_left: entry(
    'Too little is left to record without secrets.',
    'Write a sentence without keys or passwords.',
  ),
  nothing_to_do: entry('The call changes nothing.', 'Add the fields to change.'),
  not_a_transcript: entry(
    'The file is not a transcript that Carrel can read.',
    'Name a file of Claude Code or Codex.',
  ),
  remembered: entry('A discovery or session cannot be changed like a document.', 'Follow the hint.'),
  configured_document: entry(
    'The document belongs to a configured source.',
    'Change it where it comes from.',
  ),
  configured_source: entry(
    'The source belongs to the configuration.',
    'Change it in carrel.json or context.json.',
  ),
  memory_source: entry("The source is the project's memory.", 'Use "carrel memory".'),
  ambiguous_source: entry('Several sources have this name.', 'Use the id.'),
  unknown_source: entry('No source has this id or name.', 'Use one that "carrel list" shows.'),
  source_exists: entry('The source exists already.', 'Add --replace, or --as TITLE.'),
  gone: entry('The source or document was deleted in the meantime.', 'List the sources, then repeat.'),
  two_contents: entry('Both a file and a text were given.', 'Give one of them.'),
  no_content: entry('The content is missing.', 'Give file_path or content.'),
  no_title: entry('The title is missing.', 'Give a title.'),
  long_title: entry('The title is too long.', 'Shorten it.'),
  deep_metadata: entry('The metadata is nested too deeply.', 'Keep it flat.'),
  large_metadata: entry('The metadata is too large.', 'Put text into the document instead.'),

  bad_url: entry('The url is invalid, or contains a password.', 'Correct the url as the hint says.'),
  refused: entry('The url may not be crawled.', 'Name a public site, or add --allow-private-network.'),
  other_crawl: entry('A crawl of this site with other settings is running.', 'Wait for it, or cancel it.'),
  unknown_job: entry('No crawl has this id.', 'List the jobs.'),
  over: entry('The crawl has ended already.', 'Nothing.'),
  not_over: entry('The crawl is still running.', 'Wait for it, or cancel it.'),
  nothing_failed: entry('No page of the crawl failed.', 'Nothing; crawl again to update.'),
  no_chromium: entry(
    'Rendering needs a Chromium, and none was found.',
    'Install Chromium, or set CARREL_CHROMIUM.',
  ),
  chromium_failed: entry('The browser could not be started.', 'Set CARREL_CHROMIUM to another browser.'),

  alias_taken: entry('The alias is in use.', 'Choose another alias.'),
  alias_twice: entry('The package has another alias already.', 'Use that alias, or remove it first.'),
  bad_alias: entry(
    'The alias has characters that are not allowed.',
    'Use letters, digits, ".", "_", "-" and "@".',
  ),
  bad_manifest: entry('The manifest is invalid.', 'Correct it as the message says.'),
  no_manifest: entry('The package has no manifest.json.', 'Add one.'),
  no_package: entry('There is no package at this place.', 'Correct the url.'),
  bad_bundle: entry('The bundle is damaged or not a bundle.', 'Make it again.'),
  newer_bundle: entry('A newer version of Carrel made the bundle.', 'Update Carrel.'),
  not_fetched: entry('A package could not be downloaded.', 'Check the url and the network.'),
  not_locked: entry('The package differs from context.lock.', 'Run "carrel sync" without --locked.'),
  not_allowed: entry(
    'The project names a place that only you can allow.',
    'Add the package yourself, or use --allow-outside.',
  ),
  offline: entry('The server is read-only and uses no network.', 'Run "carrel sync" yourself.'),
  no_git: entry('git is not installed.', 'Install git.'),
  git_failed: entry('git could not fetch the package.', 'Check the url and your access.'),
  git_stopped: entry('git took too long.', 'Try again later.'),

  broken_file: entry(
    "A client's configuration file has an error.",
    'Correct the file, then run "carrel setup" again.',
  ),
  closed_file: entry('A file cannot be read or written.', 'Check its permissions.'),
  not_written: entry('A file could not be written.', 'Name another file.'),
  bad_name: entry('The name of the server is invalid.', 'Use letters, digits and dashes.'),
  no_address: entry('This client cannot be given an address in its file.', 'Follow the hint.'),
  no_project_file: entry('This client has no file for a project.', 'Use --scope user.'),

  insecure_bind: entry('The server would be open to the network.', 'Set CARREL_TOKEN and --allow-host.'),
  weak_token: entry('CARREL_TOKEN is too short.', 'Use at least 16 characters.'),
  bad_host: entry('The name after --allow-host is not a host name.', 'Write a host name without a path.'),
  bad_origin: entry('The value after --allow-origin is not an origin.', 'Write it as https://host:port.'),
  bad_header: entry('A header of the request is invalid.', 'Correct the header that the message names.'),
  bad_address: entry('The address of the request cannot be read.', 'Correct the url.'),
  port_in_use: entry('The port is in use.', 'Choose another with --port.'),
  port_denied: entry('The port needs administrator rights.', 'Choose one above 1023.'),
  no_such_address: entry(
    'This machine does not have the address.',
    'Use 127.0.0.1, or an address of this machine.',
  ),

  embedder_answer: entry('The model returned an unusable vector or score.', reinstall),
  embedder_closed: entry('The embedding model was closed.', 'Start the server again.'),
  embedder_died: entry("The model's process ended.", 'Try again; "carrel doctor" checks the models.'),
  embedder_dimensions: entry(
    'The number of dimensions of the model is not known.',
    'Set embedding.dimensions.',
  ),
  embedder_files: entry('Files of the model are missing or invalid.', reinstall),
  embedder_native: entry(
    'The native runtime cannot be used on this machine.',
    'Use the runtime "auto" or "wasm".',
  ),
  embedder_unsupported: entry('Carrel does not support this model.', 'Use an encoder like BERT.'),
  embedder_weights: entry("The model's weights are missing or damaged.", reinstall),
  no_answer: entry('The model did not answer in time.', 'Check that the service is running.'),
  bad_set: entry('The evaluation set is invalid.', 'Correct the line that the message names.'),
  no_set: entry('A file of the evaluation set is missing.', 'Add corpus.jsonl, queries.jsonl and qrels.tsv.'),
  no_queries: entry('No query of the set has a judgement.', 'Check the ids in qrels.tsv.'),
}

/** What an embedding service (`embedding_…`) or a reranking service (`rerank_…`) may report. */
export const serviceCodes: Readonly<Record<string, CodeEntry>> = {
  url: entry('The url of the service is invalid.', 'Correct baseUrl.'),
  limited: entry('The service limits requests.', 'Wait; Carrel asks again more slowly.'),
  failed: entry('The service refused the request.', 'Read its message; check the model and the key.'),
  answer: entry('The answer of the service is unusable.', 'Check the model and the number of dimensions.'),
  down: entry('The service does not answer.', 'Start it; Carrel asks again by itself.'),
  closed: entry('The connection was closed.', 'Start the server again.'),
  auth: entry('The key is missing or wrong.', 'Set the variable that keyFrom names.'),
}

/** The codes of notes: the answer is valid, but weaker or incomplete. */
export const noteCodes: Readonly<Record<string, CodeEntry>> = {
  words_only: entry(
    'The search used words only, not meaning.',
    'Wait for the embeddings, or run "carrel doctor".',
  ),
  corrected: entry(
    'A word that the index does not have was corrected.',
    'Quote the word to search for it as it is.',
  ),
  translated: entry(
    'The question was put into English word by word.',
    'Quote a word to search for the question as it is.',
  ),
  not_reranked: entry(
    'There was no time to rerank, or nothing to compare the passages by.',
    'Allow more time with --deadline.',
  ),
  vectors_pending: entry('Some passages have no vectors yet.', 'Wait, or run "carrel index".'),
  reembedding: entry('The model changed, and its vectors are being computed.', 'Wait.'),
  empty_index: entry('Nothing is indexed.', 'Run "carrel index".'),
  empty_scope: entry('A filter matches no document.', 'Use the name that the note suggests.'),
  unread: entry('Some folders were never indexed completely.', 'Run "carrel index".'),
  stale: entry('Files changed since they were indexed.', 'Run "carrel index".'),
  new_files: entry('New files are not indexed yet.', 'Run "carrel index".'),
  skipped_files: entry('Files were skipped.', 'Read the reason in "carrel status".'),
  in_part: entry('Some documents are only partly indexed.', 'Open the file for the rest.'),
  cut: entry('A text was shortened to a limit.', 'Ask for more, or raise the limit.'),
  copies: entry('The same text is in several documents and is shown once.', 'Nothing.'),
  lines_of_text: entry('Line numbers count the converted text, not the file.', 'Nothing.'),
  several_sections: entry('Several sections have this heading.', 'Use the full heading.'),
  passage_unknown: entry('The document does not contain the passage.', 'Nothing; similar text is shown.'),
  no_such_decision: entry('No decision has this number.', 'Check the number.'),
  no_rules: entry('The document has no rule blocks.', 'Add rule blocks to it.'),
  none_checked: entry('No rule could be checked.', 'Read the reasons in the answer.'),
  lapsed: entry('The decision is superseded or rejected.', 'Read the decision that replaced it.'),
  key_missing: entry('The variable with the key is not set.', 'Set it if the service needs a key.'),
  no_sources: entry('"sources" is an empty list.', 'Add a folder.'),
  nothing_found: entry('A source contains no files.', 'Check its path and patterns.'),
  encoding_guessed: entry('The file is not UTF-8; its encoding was guessed.', 'Save it as UTF-8.'),
  frontmatter_broken: entry('The frontmatter is not valid YAML.', 'Correct it.'),
  notebook_broken: entry('The notebook is not valid JSON.', 'Save it again.'),
  csv_broken: entry('A quoted field has no end.', 'Correct the file.'),
  parse_errors: entry('A part of the code did not parse.', 'Nothing; the rest is indexed.'),
  duplicate_tag: entry('A tag occurs twice.', 'Remove one.'),
  no_text: entry('The file has no text.', 'Nothing.'),
  scanned: entry('The file has only pictures of pages.', 'Run text recognition (OCR) on it.'),
  damaged: entry('The file is damaged, and nothing of it could be read.', 'Restore the file.'),
  unreadable: entry('The file could not be read.', 'Check the file.'),
  part_unread: entry('A part of the file could not be read.', 'Check that part.'),
  pages_unread: entry('Some pages could not be read.', 'Check those pages.'),
  pages_without_text: entry('Some pages have no text.', 'Run text recognition (OCR) if they are scanned.'),
  order_unknown: entry('Words of right-to-left text may be out of order.', 'Open the file to check.'),
}
