const currencies = new Set(Intl.supportedValuesOf('currency'));

/** Returns whether a text is an ISO 4217 code. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}
