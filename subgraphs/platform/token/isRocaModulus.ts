const generator = 65_537n;
const primes = oddPrimesUpTo(167);
const powers = new Map(primes.map((prime) => [prime, powersModulo(prime)]));

/**
 * Returns whether an RSA modulus has the fingerprint of the weak generator of CVE-2017-15361 (ROCA, Nemec et al. 2017).
 * Its primes are powers of 65537 modulo every small prime, and so is their product. Such a key can be factored. A
 * random key has this fingerprint about once in a hundred million.
 */
export function isRocaModulus(modulus: bigint): boolean {
  return primes.every((prime) => powers.get(prime)?.has(modulus % prime));
}

function powersModulo(prime: bigint): ReadonlySet<bigint> {
  const found = new Set<bigint>();
  for (let power = 1n; !found.has(power); power = (power * generator) % prime) found.add(power);
  return found;
}

function oddPrimesUpTo(limit: number): bigint[] {
  const found: bigint[] = [];
  for (let candidate = 3n; candidate <= limit; candidate += 2n) {
    if (found.every((prime) => candidate % prime !== 0n)) found.push(candidate);
  }
  return found;
}
