import type { Suggester } from './Draft.ts';
import { findPhrases } from './findPhrases.ts';

/** Returns phrases that the page repeats in prominent places, without keyphrases of other pages. */
export const suggestKeyphrases: Suggester = ({ input, context, neighbours }) => {
  const used = new Set(neighbours.usedKeyphrases);
  const current = input.keyphrase?.trim().toLowerCase();
  const phrases = findPhrases(context).filter(({ text }) => {
    const lowered = text.toLowerCase();
    return lowered !== current && !used.has(lowered);
  });
  const best = phrases[0]?.weight ?? 1;
  return phrases.map(({ text, weight, count }) => ({
    value: text,
    reason: `The page contains it ${count === 1 ? 'once, in a prominent place' : `${count} times`}, and no other page has this keyphrase.`,
    basis: ['keyphrase.length', 'keyphrase.in_introduction', 'keyphrase.density', 'keyphrase.in_seo_title'],
    // A missing keyphrase can still be added to these places.
    decisive: ['keyphrase.length'],
    confidence: Math.min(1, weight / best) * 0.9,
    patch: { members: { keyphrase: text, synonyms: [] } },
  }));
};
