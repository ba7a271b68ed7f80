/** Format of a scalar in JSON. */
export interface ScalarFormat {
  /** JSON Schema of the value, for OpenAPI. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Returns whether a JSON value has this format; its meaning is not checked. */
  accepts(value: unknown): boolean;
  /** Parses a path or query parameter. Returns undefined if it is not valid. */
  parse(text: string): unknown;
  /** Message for the client. */
  readonly expectation: string;
}

const dateTimePattern = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const languageTagPattern = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/;
const integerPattern = /^-?\d{1,16}$/;
const numberPattern = /^-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?$/;

/** Returns whether a value is a text without lone surrogates, which UTF-8 cannot represent. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function isInt(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= -2147483648 && (value as number) <= 2147483647;
}

function isDateTime(value: unknown): boolean {
  return typeof value === 'string' && dateTimePattern.test(value) && !Number.isNaN(Date.parse(value));
}

function isLanguageTag(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 35 || !languageTagPattern.test(value)) return false;
  try {
    Intl.getCanonicalLocales(value.replaceAll('_', '-'));
    return true;
  } catch {
    return false;
  }
}

function isWebUrl(value: unknown): boolean {
  if (!isText(value) || value.length > 2048) return false;
  const url = URL.parse(value);
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

/**
 * Returns whether a value is JSON with valid texts and without members that could reach a prototype. The parser has
 * limited its depth.
 */
function isPlainJson(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlainJson);
  return Object.entries(value).every(
    ([name, member]) => name !== '__proto__' && name.isWellFormed() && isPlainJson(member),
  );
}

function text(accepts: (value: unknown) => boolean, expectation: string, schema: object = {}): ScalarFormat {
  return {
    schema: { type: 'string', ...schema },
    accepts,
    parse: (value) => (accepts(value) ? value : undefined),
    expectation,
  };
}

function integer(accepts: (value: unknown) => boolean, expectation: string, schema: object): ScalarFormat {
  const parse = (value: string) => {
    const number = integerPattern.test(value) ? Number(value) : undefined;
    return accepts(number) ? number : undefined;
  };
  return { schema: { type: 'integer', ...schema }, accepts, parse, expectation };
}

/** The built-in and shared scalars (`schema/scalars.graphql`) by name. */
const scalarFormats: Readonly<Record<string, ScalarFormat>> = {
  ID: text(isText, 'a text'),
  String: text(isText, 'a text'),
  Boolean: {
    schema: { type: 'boolean' },
    accepts: (value) => typeof value === 'boolean',
    parse: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
    expectation: 'true or false',
  },
  Int: integer(isInt, 'an integer of 32 bits', { format: 'int32' }),
  Float: {
    schema: { type: 'number' },
    accepts: (value) => Number.isFinite(value),
    parse: (value) => {
      const number = numberPattern.test(value) ? Number(value) : Number.NaN;
      return Number.isFinite(number) ? number : undefined;
    },
    expectation: 'a number',
  },
  DateTime: text(isDateTime, 'an RFC 3339 time, such as 2026-05-02T09:00:00.000Z', { format: 'date-time' }),
  LanguageTag: text(isLanguageTag, 'a BCP 47 tag, such as pt-BR'),
  MinorUnits: integer(Number.isSafeInteger, 'an integer within ±(2^53 − 1)', {
    format: 'int64',
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  Micros: integer(Number.isSafeInteger, 'an integer within ±(2^53 − 1)', {
    format: 'int64',
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  URL: text(isWebUrl, 'an absolute http or https URL of at most 2,048 characters', { format: 'uri' }),
  JSON: {
    schema: {},
    accepts: isPlainJson,
    parse: () => undefined,
    expectation: 'JSON without unpaired surrogates and with plain member names',
  },
};

/** Returns the format of a scalar by name; a scalar without a format is accepted unchanged. */
export function scalarFormat(name: string): ScalarFormat {
  return scalarFormats[name] ?? { ...text(isText, 'a text'), schema: {}, accepts: isPlainJson };
}
