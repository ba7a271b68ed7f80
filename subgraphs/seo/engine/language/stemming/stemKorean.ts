/**
 * Particles (josa) that are written onto a noun, by what the syllable before them ends with: some have one form after
 * a consonant and another after a vowel.
 */
const afterConsonant = [
  '이',
  '은',
  '을',
  '과',
  '으로',
  '이나',
  '이라',
  '이란',
  '으로서',
  '으로써',
  '이라도',
  '이며',
  '이다',
];
const afterVowel = ['가', '는', '를', '와', '로', '나', '라', '란', '로서', '로써', '라도', '며', '다'];
const afterAny = [
  '의',
  '에',
  '에서',
  '에게',
  '에게서',
  '에는',
  '에도',
  '에서는',
  '에서도',
  '께',
  '께서',
  '한테',
  '도',
  '만',
  '까지',
  '까지는',
  '부터',
  '부터는',
  '보다',
  '처럼',
  '마다',
  '조차',
  '밖에',
  '들',
];
const firstSyllable = 0xac00;
const lastSyllable = 0xd7a3;
/** Number of final consonants of a syllable, including none. */
const finals = 28;
const finalRieul = 8;
const mostParticles = 3;

const particles = [
  ...afterConsonant.map((text) => ({ text, needs: 'consonant' as const })),
  ...afterVowel.map((text) => ({ text, needs: 'vowel' as const })),
  ...afterAny.map((text) => ({ text, needs: 'any' as const })),
].sort((a, b) => b.text.length - a.text.length);

/** Returns the index of the final consonant, 0 without one; null if the character is no syllable. */
function finalOf(character: string | undefined): number | null {
  const code = character?.charCodeAt(0) ?? 0;
  return code < firstSyllable || code > lastSyllable ? null : (code - firstSyllable) % finals;
}

/**
 * Returns a Korean word without the particles at its end. The final consonant of the syllable before a particle decides
 * whether it fits, as in the rules of Korean grammar for josa; no published light algorithm without a dictionary was
 * found. A noun keeps at least two syllables, because many nouns end like a particle.
 */
export function stemKorean(form: string): string {
  let stem = form.normalize('NFC');
  for (let times = 0; times < mostParticles; times += 1) {
    const found = particles.find(({ text, needs }) => {
      const rest = stem.length - text.length;
      if (rest < 2 || !stem.endsWith(text)) return false;
      const final = finalOf(stem[rest - 1]);
      if (needs === 'any' || final === null) return true;
      const isVowel = final === 0 || (text.startsWith('로') && final === finalRieul);
      return needs === 'vowel' ? isVowel : !isVowel;
    });
    if (!found) break;
    stem = stem.slice(0, -found.text.length);
  }
  return stem;
}
