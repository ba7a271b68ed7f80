/**
 * Endings of nouns, adjectives and the commonest verb forms, longest first. Written from the declension tables of
 * school grammar; derivation (książka, księgarz) stays apart.
 */
const endings = (
  'iejszego iejszej iejszych iejszym iejszy iejsza iejsze owaniem owania owanie owaniu owych owymi owego owemu owym ' +
  'owej owie iami iach iego iemu imi ich ami ach ego emu ymi ych iem iom owi ową owy owa owe ów ow ymi ej em om im ym ' +
  'ie ia iu io ią ię ii a ą e ę i o u y'
).split(' ');
const shortestStem = 3;

/** A consonant is softened before an ending with `e`; the dictionary form has the plain one. */
const softened: readonly (readonly [ending: string, plain: string])[] = [
  ['ści', 'st'],
  ['ździ', 'zd'],
  ['dzi', 'd'],
  ['ci', 't'],
  ['rz', 'r'],
];
const vowels = /[aeiouyąęó]/;

function stripEnding(form: string): string {
  for (const ending of endings) {
    if (!form.endsWith(ending)) continue;
    const rest = form.slice(0, form.length - ending.length);
    if (rest.length >= shortestStem && vowels.test(rest)) return rest;
  }
  return form;
}

/** Removes the `e` that occurs only in forms without an ending: książek and książka, but silnik is unchanged. */
function dropFleetingVowel(stem: string): string {
  return stem.length > 4 ? stem.replace(/(?<=[^aeiouyąęó])i?e(?=[kc]$)/, '') : stem;
}

/**
 * Returns the light stem of a Polish word form: without ending, ó as o (samochód, samochody), and with a hardened
 * consonant (samochodzie). It unites most cases of one noun and keeps derived words apart.
 */
export function stemPolish(form: string): string {
  const stripped = stripEnding(form);
  const stem = form.endsWith('e') ? harden(stripped, form.slice(stripped.length)) : stripped;
  return dropFleetingVowel(stem.replaceAll('ó', 'o'));
}

/** Splits `samochodz` + `ie` into `samochod` and the `i` that softens it. */
function harden(stem: string, ending: string): string {
  const soft = ending.startsWith('i') ? `${stem}i` : stem;
  const rule = softened.find(([end]) => soft.endsWith(end) && soft.length > end.length + 1);
  return rule ? soft.slice(0, -rule[0].length) + rule[1] : stem;
}
