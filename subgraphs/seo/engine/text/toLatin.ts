const cyrillic = new Map(
  Object.entries({
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    ґ: 'g',
    д: 'd',
    е: 'e',
    ё: 'e',
    є: 'ye',
    ж: 'zh',
    з: 'z',
    и: 'i',
    і: 'i',
    ї: 'yi',
    й: 'y',
    к: 'k',
    л: 'l',
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    у: 'u',
    ў: 'u',
    ф: 'f',
    х: 'h',
    ц: 'ts',
    ч: 'ch',
    ш: 'sh',
    щ: 'sch',
    ъ: '',
    ы: 'y',
    ь: '',
    э: 'e',
    ю: 'yu',
    я: 'ya',
    ђ: 'dj',
    ј: 'y',
    љ: 'ly',
    њ: 'ny',
    ћ: 'c',
    џ: 'dz',
  }),
);
const greek = new Map(
  Object.entries({
    α: 'a',
    β: 'v',
    γ: 'g',
    δ: 'd',
    ε: 'e',
    ζ: 'z',
    η: 'i',
    θ: 'th',
    ι: 'i',
    κ: 'k',
    λ: 'l',
    μ: 'm',
    ν: 'n',
    ξ: 'x',
    ο: 'o',
    π: 'p',
    ρ: 'r',
    σ: 's',
    ς: 's',
    τ: 't',
    υ: 'y',
    φ: 'f',
    χ: 'ch',
    ψ: 'ps',
    ω: 'o',
  }),
);
const latin = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i', þ: 'th', ð: 'd' }),
);
const umlauts = new Map(Object.entries({ ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }));
/** Languages whose slugs spell these letters with two. */
const spellsUmlauts = new Set(['de', 'da', 'no', 'sv', 'fi']);

const knownScripts = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{M}\p{P}\p{S}\s]*$/u;
const marks = /\p{M}/gu;

function fold(form: string): string {
  let folded = '';
  // Composed first, because й and ї are separate letters, not и and і with a mark.
  for (const character of form.normalize('NFC')) {
    const known = cyrillic.get(character) ?? latin.get(character);
    if (known !== undefined) {
      folded += known;
      continue;
    }
    const base = character.normalize('NFD').replace(marks, '');
    folded += cyrillic.get(base) ?? greek.get(base) ?? base;
  }
  return folded;
}

/** Returns whether every letter belongs to a script that is supported for romanization. */
export function canTransliterate(text: string): boolean {
  return knownScripts.test(text);
}

/** Returns the spellings of a word form in a URL: unchanged, without marks in Latin letters, and with `ae` for `ä`. */
export function latinForms(form: string, language: string): string[] {
  const forms = new Set([form, fold(form)]);
  if (spellsUmlauts.has(language)) {
    forms.add(
      fold([...form.normalize('NFC')].map((character) => umlauts.get(character) ?? character).join('')),
    );
  }
  return [...forms];
}

const romanisations: readonly (readonly [RegExp, string])[] = [
  [/shch/g, 'sch'],
  [/kh/g, 'h'],
  [/[ij]u/g, 'yu'],
  [/[ij]a/g, 'ya'],
  [/j/g, 'y'],
  [/yo/g, 'e'],
];

/** Unifies the common romanizations, so that `khoroshiy` equals `horoshij`. */
export function unifyRomanisation(word: string): string {
  return romanisations.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), word);
}
