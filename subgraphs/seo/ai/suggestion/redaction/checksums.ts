/** Returns whether the digits of a text pass the check of payment cards (ISO/IEC 7812-1, Luhn). */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1*$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Returns whether a text is an account number by its check digits (ISO 13616-1: the remainder by 97 is 1). */
export function isIban(text: string): boolean {
  const iban = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
