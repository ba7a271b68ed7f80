import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A word that makes readers guess its subject, with what to write instead. */
export interface Wording {
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** Words by the advice for them, as alternatives of a regular expression. */
const advice: readonly (readonly [words: string, instead: string])[] = [
  ['whoever|those who|who asks', 'name the caller, the client or the user'],
  ['somebody|nobody|anybody', 'name the caller, the client or the user, or use the passive voice'],
  ['he|his|him|himself', 'repeat the noun, or use the plural'],
  ['told|tells|telling', 'published, reported, returned, stated'],
  ['what became of', 'the outcome of, the status of'],
  ['any more', 'no longer'],
  ['by hand', 'manually'],
];
const words = new RegExp(`\\b(?:${advice.map(([word]) => `(${word})`).join('|')})\\b`, 'gi');

/** Files that are generated from searched ones, and the test that plants the words. */
const unsearched =
  /generated|^docs\/reference\/changelog\.md$|^schema\/\w+\.graphql$|\/findWords\.unit\.test\.ts$/;

/**
 * Finds the words in the prose of tracked files: documentation, descriptions of schemas, comments and titles of tests. Texts
 * in quotes are examples, and are not searched.
 *
 * @param root folder of the repository
 */
export function findWords(root: string): Wording[] {
  return execFileSync('git', ['ls-files', '*.md', '*.graphql', '*.ts', '*.js'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n')
    .filter((file) => !unsearched.test(file))
    .flatMap((file) => wordsIn(file, readFileSync(path.join(root, file), 'utf8')));
}

/** Finds the words in the prose of one file. */
export function wordsIn(file: string, text: string): Wording[] {
  const isProse = /\.(?:md|graphql)$/.test(file);
  return text.split('\n').flatMap((content, index) => {
    const prose = isProse ? content : proseOf(content);
    return [...prose.replace(/`[^`]*`/g, '').matchAll(words)].map((match) => ({
      file,
      line: index + 1,
      word: match[0],
      instead: advice[match.slice(1).findIndex((group) => group !== undefined)]?.[1] ?? '',
    }));
  });
}

/** The comment of a line of code, or the title of its test. */
function proseOf(line: string): string {
  const [, comment = ''] = /(?:^\s*\/?\*+ ?|(?:^|\s)\/\/ ?)(.*)$/.exec(line) ?? [];
  const [, , title = ''] = /\b(?:test|describe|it)\b.*?\(\s*(['"])(.*?)\1/.exec(line) ?? [];
  return `${comment} ${title}`;
}
