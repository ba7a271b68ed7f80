import type { Sentence } from '../../text/readSentences.ts';
import type { AnalysisContext } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { contentPosition, mostPositions } from '../positions.ts';
import { count } from '../rate.ts';

interface Run {
  first: Sentence;
  last: Sentence;
  length: number;
}

/** Returns the first word; the first two if the first is an article, a demonstrative or a number. */
function beginningOf(context: AnalysisContext, sentence: Sentence): string {
  const { words } = context.content;
  const first = words[sentence.firstWord]?.form ?? '';
  if (!context.language.lightStarters.has(first)) return first;
  const second = sentence.firstWord + 1 < sentence.endWord ? words[sentence.firstWord + 1]?.form : undefined;
  return second === undefined ? first : `${first} ${second}`;
}

/** Runs of sentences in paragraphs that begin alike; a heading or a list between them ends a run. */
function readRuns(context: AnalysisContext): Run[] {
  const runs: Run[] = [];
  let beginning = '';
  let block = -1;
  for (const sentence of context.content.sentences) {
    const kind = context.document.blocks[sentence.block]?.kind;
    const next = kind === 'paragraph' ? beginningOf(context, sentence) : '';
    const run = runs.at(-1);
    const follows = sentence.block === block || sentence.block === block + 1;
    if (run && next !== '' && next === beginning && follows) {
      run.last = sentence;
      run.length += 1;
    } else if (next !== '') {
      runs.push({ first: sentence, last: sentence, length: 1 });
    }
    beginning = next;
    block = sentence.block;
  }
  return runs;
}

export const sentencesBeginnings: Check = {
  id: 'sentences.beginnings',
  group: 'readability',
  title: 'Sentence beginnings',
  description: 'Several sentences in a row that begin with the same word read monotonously.',
  requires: ['content'],
  needs: null,
  forRelated: false,
  evaluate(context) {
    const { longestRun } = context.thresholds['sentences.beginnings'];
    const runs = readRuns(context);
    if (runs.length === 0) return { notApplicable: 'text_too_short' };
    const monotonous = runs.filter((run) => run.length > longestRun);
    const longest = runs.reduce((most, run) => Math.max(most, run.length), 0);
    const value = { runs: monotonous.length, longest };
    if (monotonous.length === 0) {
      return { rating: 'good', code: 'good', value, text: 'The sentences begin differently.' };
    }
    return {
      rating: 'bad',
      code: 'repeated',
      value,
      params: value,
      positions: monotonous
        .slice(0, mostPositions)
        .map((run) => contentPosition(context, run.first.start, run.last.end)),
      text: `${count(monotonous.length, 'time')} more than ${longestRun} sentences in a row begin with the same word. Vary them.`,
    };
  },
};
