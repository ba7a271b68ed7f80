import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { proseSentences, toClauseWords } from '../../subgraphs/seo/engine/checks/prose.ts';
import { createContext } from '../../subgraphs/seo/engine/createContext.ts';
import { ruleset2026 } from '../../subgraphs/seo/engine/ruleset/ruleset2026.ts';
import type { GoldSentence } from './readTreebank.ts';

const run = promisify(execFile);
const anchorFolder = fileURLToPath(new URL('../../bench/anchor-yoast/', import.meta.url));
/** Sentences that are joined to one paragraph. */
const paragraphLength = 10;

/** How an engine reads sentences: the parts of each paragraph, and whether each sentence is passive. */
export interface Reading {
  readonly split: readonly (readonly string[])[];
  readonly passive: readonly (boolean | null)[];
}

/** Harmonic means of precision and recall in percent. */
export interface Figures {
  readonly sentences: number;
  readonly passives: number;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns paragraphs of ten sentences each. */
export function toParagraphs(gold: readonly GoldSentence[]): string[][] {
  const texts = gold.map(({ text }) => text);
  return Array.from({ length: Math.ceil(texts.length / paragraphLength) }, (_, index) =>
    texts.slice(index * paragraphLength, (index + 1) * paragraphLength),
  );
}

/** Reads the sentences with the engine of the product. */
export function readWithEngine(language: string, gold: readonly GoldSentence[]): Reading {
  const open = (text: string) =>
    createContext({ content: `<p>${escape(text)}</p>`, locale: language }, 'article', ruleset2026.thresholds)
      .context;
  return {
    split: toParagraphs(gold).map((texts) => {
      const { content } = open(texts.join(' '));
      return content.sentences.map(({ start, end }) => content.text.slice(start, end));
    }),
    passive: gold.map(({ text }) => {
      const context = open(text);
      const { findPassives } = context.language;
      if (!findPassives) return null;
      return proseSentences(context).some((index) => {
        const sentence = context.content.sentences[index];
        return sentence !== undefined && findPassives(toClauseWords(context, sentence)).length > 0;
      });
    }),
  };
}

/** Reads the sentences with yoastseo, in a process of the private bench, which is installed there on first use. */
export async function readWithAnchor(language: string, gold: readonly GoldSentence[]): Promise<Reading> {
  const isInstalled = await access(
    new URL('../../bench/anchor-yoast/node_modules/yoastseo', import.meta.url),
  ).then(
    () => true,
    () => false,
  );
  if (!isInstalled) await run('npm', ['ci', '--ignore-scripts', '--no-audit'], { cwd: anchorFolder });
  const asked = run(process.execPath, ['judgeSentences.ts'], { cwd: anchorFolder, maxBuffer: 2 ** 28 });
  const paragraphs = toParagraphs(gold).map((texts) => texts.join(' '));
  asked.child.stdin?.end(JSON.stringify({ language, paragraphs, sentences: gold.map(({ text }) => text) }));
  return JSON.parse((await asked).stdout);
}

/** Compares a reading with the annotations. */
export function toFigures(gold: readonly GoldSentence[], { split, passive }: Reading): Figures {
  const ends = { found: 0, right: 0, gold: 0 };
  for (const [index, texts] of toParagraphs(gold).entries()) {
    const own = endsOf(texts);
    const found = endsOf(split[index] ?? []);
    ends.gold += own.size;
    ends.found += found.size;
    ends.right += [...found].filter((end) => own.has(end)).length;
  }
  const isRight = gold.filter(({ isPassive }, index) => isPassive && passive[index] === true).length;
  return {
    sentences: harmonicMean(ends.right, ends.found, ends.gold),
    passives: harmonicMean(
      isRight,
      passive.filter((found) => found === true).length,
      gold.filter(({ isPassive }) => isPassive).length,
    ),
  };
}

/** Returns the ends of sentences as numbers of characters without spaces, which engines treat differently. */
function endsOf(sentences: readonly string[]): Set<number> {
  let length = 0;
  return new Set(
    sentences.map((sentence) => {
      length += sentence.replace(/\s+/gu, '').length;
      return length;
    }),
  );
}

function harmonicMean(right: number, found: number, gold: number): number {
  return found + gold === 0 ? 0 : Math.round((2000 * right) / (found + gold)) / 10;
}
