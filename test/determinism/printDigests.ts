import { digestCorpus } from './corpus.ts';

/** A program that prints the digests of the corpus, analysed in the given order and then in the opposite one. */
const reversed = process.argv[2] === 'reversed';
console.log(JSON.stringify([digestCorpus({ reversed }), digestCorpus({ reversed: !reversed })]));
