/**
 * Returns a share of an amount in basis points, rounded half to even. The result is exact although the product may
 * exceed the safe integers.
 *
 * @param amount minor units, not negative
 */
export function shareOf(amount: number, rateBps: number): number {
  const [product, whole] = [BigInt(amount) * BigInt(rateBps), 10_000n];
  const [quotient, twice] = [product / whole, (product % whole) * 2n];
  const isUp = twice > whole || (twice === whole && quotient % 2n === 1n);
  return Number(isUp ? quotient + 1n : quotient);
}
