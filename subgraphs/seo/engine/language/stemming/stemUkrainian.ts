/** Endings of nouns, adjectives and verbs, by group. In a group the longest one that fits is removed. */
const reflexive = ['ся', 'сь'];
const inflections = (
  'ованими ованого ованому ованої ованою ованих ованим овані ована оване овану ований ' +
  'іями ими ого ому ої ою ей ій ий іх їх их ім їм им єю ею ами ями ові еві єві ах ях ів їв ам ям ом ем єм ' +
  'увати ювати ували юють ують ати яти ити іти ають яють ять ать ить їть уть ють аєш ає яє ала яла ила ало яло ило али ' +
  'яли или ав яв ив іла іло іли ію ією ії ія а я о е є у ю и і ї ь й'
)
  .split(' ')
  .sort((a, b) => b.length - a.length);
const vowel = /[аеєиіїоуюя]/u;
const shortestStem = 3;

/** Vowels that alternate in open and closed syllables (стіл, столу), and consonants before `і` (книга, книзі). */
const closedSyllable = /і(?=[^аеєиіїоуюя]+$)/u;
const softConsonants: Readonly<Record<string, string>> = { з: 'г', ц: 'к', с: 'х' };

function removeEnding(form: string, endings: readonly string[]): string {
  const ending = endings.find(
    (each) =>
      form.endsWith(each) &&
      form.length - each.length >= shortestStem &&
      vowel.test(form.slice(0, form.length - each.length)),
  );
  return ending ? form.slice(0, form.length - ending.length) : form;
}

/**
 * Returns the light stem of a Ukrainian word. The method is that of the Snowball stemmer for Russian (M. F. Porter,
 * snowballstem.org/algorithms/russian): the reflexive particle, then one inflectional ending, with the endings of
 * Ukrainian. In addition `і` of a closed syllable becomes `о`, and a consonant that `і` softened becomes hard.
 */
export function stemUkrainian(form: string): string {
  const word = form.replace(/['’ʼ]/gu, '');
  const bare = removeEnding(removeEnding(word, reflexive), inflections);
  const ending = word.slice(bare.length);
  const last = bare.at(-1) ?? '';
  const isSoft = ending === 'і' && bare.length > shortestStem;
  const hard = isSoft ? bare.slice(0, -1) + (softConsonants[last] ?? last) : bare;
  return hard.length > 2 ? hard.replace(closedSyllable, 'о') : hard;
}
