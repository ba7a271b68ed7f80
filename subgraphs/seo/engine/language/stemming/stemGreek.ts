/** Endings of nouns, adjectives and verbs without accents; the longest one that fits is removed. */
const endings = (
  'ουσαμε ουσατε ησουμε ησετε ησουν ησαμε ησατε ηθηκε ηθηκαν ωντασ οντασ ομαστε οσαστε ουνται ονται ιεται ' +
  'ματων ματα ματοσ ουδεσ ουδων ιουδεσ αδεσ αδων εδεσ εδων ικουσ ικων ικεσ ικησ ικοσ ικου ικοι ικη ικα ικο ' +
  'εισ εων εωσ ουσ ιων ιου ιοσ ιοι ιεσ ιασ ουν ουμε ετε αμε ατε ανε αν εται αται ησ ασ εσ οσ ων ου οι ια ιο εσ ' +
  'ει ουμ μα η α ο ε ι υ ω'
)
  .split(' ')
  .sort((a, b) => b.length - a.length);
const shortestStem = 3;
const vowel = /[αεηιουω]/u;

/**
 * Returns the light stem of a Greek word: without accents and the longest ending, in the manner of the inflectional
 * step of G. Ntais, Development of a Stemmer for the Greek Language (Stockholm University, 2006). Derivational
 * suffixes are not removed.
 */
export function stemGreek(form: string): string {
  const word = form.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ς', 'σ');
  const ending = endings.find(
    (each) =>
      word.endsWith(each) &&
      word.length - each.length >= shortestStem &&
      vowel.test(word.slice(0, word.length - each.length)),
  );
  return ending ? word.slice(0, word.length - ending.length) : word;
}
