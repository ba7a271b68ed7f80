import { digestCorpus } from './corpus.ts';

/** A program: prints the digests of the corpus, analysed in this order and then once more in the other one. */
const reversed = process.argv[2] === 'reversed';
console.log(JSON.stringify([digestCorpus({ reversed }), digestCorpus({ reversed: !reversed })]));
