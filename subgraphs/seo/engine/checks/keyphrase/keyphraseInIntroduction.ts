import type { SentenceMatch } from '../../keyphrase/matchPhrase.ts';
import type { Phrase } from '../../keyphrase/parsePhrase.ts';
import { stem } from '../../language/stemming/stem.ts';
import type { AnalysisContext } from '../AnalysisContext.ts';
import type { Check, Finding } from '../Check.ts';
import { contentPosition, wordPositions } from '../positions.ts';

type Place = 'sentence' | 'paragraph' | 'missing';

/** Returns the first paragraph, or the first block that is not a heading if there is no paragraph. */
function introductionBlock(context: AnalysisContext): number {
  const blocks = context.document.blocks;
  const paragraph = blocks.findIndex((block) => block.kind === 'paragraph');
  return paragraph >= 0 ? paragraph : blocks.findIndex((block) => block.kind !== 'heading');
}

function placeOf(context: AnalysisContext, phrase: Phrase, inBlock: readonly SentenceMatch[]): Place {
  if (inBlock.some((match) => match.count > 0)) return 'sentence';
  if (phrase.exact) return 'missing';
  const found = new Set(
    inBlock.flatMap((match) =>
      match.words.map((word) => stem(context.content.words[word]?.form ?? '', context.language.code)),
    ),
  );
  return phrase.stems.every((value) => found.has(value)) ? 'paragraph' : 'missing';
}

const findings: Record<Place, Omit<Finding, 'value'>> = {
  sentence: {
    rating: 'good',
    code: 'good',
    text: 'The first paragraph names the keyphrase in one sentence.',
  },
  paragraph: {
    rating: 'ok',
    code: 'scattered',
    text: 'The first paragraph has all words of the keyphrase, but in different sentences. Bring them into one.',
  },
  missing: {
    rating: 'bad',
    code: 'missing',
    text: 'The first paragraph does not name the keyphrase. Say there what the page is about.',
  },
};

export const keyphraseInIntroduction: Check = {
  id: 'keyphrase.in_introduction',
  group: 'keyphrase',
  title: 'Keyphrase in introduction',
  description: 'The first paragraph should name the keyphrase or a synonym in one sentence.',
  requires: ['keyphrase', 'content'],
  needs: null,
  forRelated: true,
  evaluate(context) {
    const blockIndex = introductionBlock(context);
    const block = context.document.blocks[blockIndex];
    if (!context.topic || !block) return { notApplicable: 'no_content' };
    let best: { place: Place; words: readonly number[] } = { place: 'missing', words: [] };
    for (const [index, phrase] of context.topic.variants.entries()) {
      const matches = context.topic.variantMatches[index] ?? [];
      const inBlock = matches.filter(
        (match) => context.content.sentences[match.sentence]?.block === blockIndex,
      );
      const place = placeOf(context, phrase, inBlock);
      const complete = inBlock.filter((match) => place !== 'sentence' || match.count > 0);
      if (place === 'sentence' || (place === 'paragraph' && best.place === 'missing')) {
        best = { place, words: complete.flatMap((match) => match.words) };
      }
      if (place === 'sentence') break;
    }
    return {
      ...findings[best.place],
      value: { place: best.place },
      positions:
        best.place === 'missing'
          ? [contentPosition(context, block.start, block.end)]
          : wordPositions(context, best.words),
    };
  },
};
