/** Returns a 53-bit hash that distinguishes texts; not for security (after MurmurHash3, two lanes). */
export function digestOf(text: string): number {
  let [a, b] = [0x9e37_79b9, 0x85eb_ca6b];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0xcc9e_2d51);
    b = Math.imul(b ^ unit, 0x1b87_3593);
    a = (a << 13) | (a >>> 19);
    b = (b << 15) | (b >>> 17);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85eb_ca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2_ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85eb_ca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2_ae35);
  return (a & 0x1f_ffff) * 2 ** 32 + (b >>> 0);
}
