import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

/**
 * Reads `{language, paragraphs, sentences}` as JSON from the standard input. Writes how the anchor splits each paragraph,
 * and whether each sentence is passive for it; null if it does not know passives of the language.
 */

interface Question {
  language: string;
  paragraphs: string[];
  sentences: string[];
}

const require = createRequire(import.meta.url);
const { Paper, assessors } = require('yoastseo');
const { language, paragraphs, sentences } = JSON.parse(await text(process.stdin)) as Question;
const { default: Researcher } = require(`yoastseo/build/languageProcessing/languages/${language}/Researcher`);

const escape = (plain: string): string => plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns a researcher whose page is parsed, which an assessor does. */
function openPage(plain: string) {
  const paper = new Paper(`<p>${escape(plain)}</p>`, { locale: language });
  const researcher = new Researcher(paper);
  new assessors.ContentAssessor(researcher).assess(paper);
  return researcher;
}

const split = paragraphs.map((paragraph): string[] =>
  openPage(paragraph)
    .getResearch('countSentencesFromText')
    .map(({ sentence }: { sentence: string | { text: string } }) =>
      typeof sentence === 'string' ? sentence : sentence.text,
    ),
);
const passive = sentences.map((sentence): boolean | null => {
  const found = openPage(sentence).getResearch('getPassiveVoiceResult');
  return found?.passives ? found.passives.length > 0 : null;
});
process.stdout.write(JSON.stringify({ split, passive }));
