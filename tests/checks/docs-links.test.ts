import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

// Links to files and headings, pictures, and paths in backticks in every document: a moved or renamed file
// fails here.
const ROOT = join(import.meta.dirname, '../..');
const NO_DOCUMENTS = new Set(['node_modules', '.git', '.local', 'dist']);

const folders = new Set(
  readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_DOCUMENTS.has(entry.name))
    .map(({ name }) => name),
);
const documents = documentsIn(ROOT);

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NO_DOCUMENTS.has(entry.name) ? [] : documentsIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** The anchors of a document's headings, as GitHub and GitLab generate them. */
function anchorsOf(text: string): string[] {
  const headings = text.matchAll(/^#{1,6} +(.+)$/gm);
  return Array.from(headings, ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}

const withoutCode = (text: string) => text.replaceAll(/^```.*?^```/gms, '');

/** The broken links and paths of a document. */
function brokenIn(document: string): string[] {
  const text = withoutCode(readFileSync(document, 'utf8'));
  const pictures = text.matchAll(/\b(?:src|srcset)="([^"]+)"/g);
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...pictures].map(([, link]) => link!);
  const brokenLinks = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const path = file === '' ? document : join(dirname(document), file);
    if (!existsSync(path)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(path, 'utf8')).includes(anchor);
  });
  const named = text.matchAll(/`([\w.-]+\/[\w./-]*[\w-]\.(?:tsx?|mjs|json|md|sql|txt|ya?ml|sh))`/g);
  const brokenPaths = Array.from(named, ([, path]) => path!).filter(
    (path) => folders.has(path.split('/', 1)[0]!) && !existsSync(join(ROOT, path)),
  );
  return [...brokenLinks, ...brokenPaths];
}

describe('the links and paths in a document exist', () => {
  test.each(documents.map((path) => relative(ROOT, path)))('%s', (document) => {
    expect(brokenIn(join(ROOT, document))).toEqual([]);
  });
});

test('the security document names a code file and a test for each claim', () => {
  const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
  const tests = new Set(text.match(/`[\w./-]+\.test\.ts`/g));
  expect(tests.size).toBeGreaterThan(30);
  for (const path of tests) expect(existsSync(join(ROOT, path.slice(1, -1))), path).toBe(true);
});
