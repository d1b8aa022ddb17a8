const CONTENT = [
  'language',
  'topic',
  'question',
  'answer',
  'incorrect',
  'explanation',
  'source_url',
  'checked_at',
];

/** What a version of a question consists of, and what an update changes. */
export const CONTENT_COLUMNS = CONTENT.join(', ');

/** The same with the number of the version, as `question_version` keeps it. */
export const ARCHIVE_COLUMNS = ['version', ...CONTENT].join(', ');
