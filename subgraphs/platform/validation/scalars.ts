import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;
const languageTag = /^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/;

function refuse(message: string): never {
  throw new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

/** RFC 3339 text to Date; a Date or such a text to milliseconds precision in UTC. */
const DateTime = scalar(
  'DateTime',
  (value) => {
    if (typeof value !== 'string' || !dateTime.test(value))
      refuse('A time must be an RFC 3339 string, such as 2026-05-02T09:00:00.000Z.');
    const date = new Date(value);
    if (Number.isNaN(date.getTime())) refuse('This date does not exist in the calendar.');
    return date;
  },
  (value) => (value instanceof Date ? value : new Date(value as string)).toISOString(),
);

/** Canonical BCP 47 tag (RFC 5646, UTS 35); an underscore counts as a hyphen. */
const LanguageTag = scalar(
  'LanguageTag',
  (value) => {
    if (typeof value !== 'string' || value.length > 35 || !languageTag.test(value))
      refuse('A language must be a BCP 47 tag, such as pt-BR.');
    try {
      return Intl.getCanonicalLocales(value.replaceAll('_', '-'))[0];
    } catch {
      return refuse('A language must be a BCP 47 tag, such as pt-BR.');
    }
  },
  (value) => value,
);

const MinorUnits = scalar(
  'MinorUnits',
  (value) =>
    Number.isSafeInteger(value)
      ? value
      : refuse('An amount must be an integer number of minor units within ±(2^53 − 1).'),
  (value) => value,
);

const Micros = scalar(
  'Micros',
  (value) =>
    Number.isSafeInteger(value)
      ? value
      : refuse('An amount in micros must be an integer number of millionths within ±(2^53 − 1).'),
  (value) => value,
);

/** Absolute http(s) URL of at most 2,048 characters. */
const URLScalar = scalar(
  'URL',
  (value) => {
    const url = typeof value === 'string' && value.length <= 2048 ? URL.parse(value) : null;
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      refuse('A URL must be absolute, use http or https and have at most 2,048 characters.');
    return value;
  },
  (value) => value,
);

const JSONScalar = scalar(
  'JSON',
  (value) => value,
  (value) => value,
);

function scalar(
  name: string,
  parseValue: (value: unknown) => unknown,
  serialize: (value: unknown) => unknown,
): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    serialize,
    parseValue,
    parseLiteral: (node, variables) =>
      name === 'JSON' || node.kind === Kind.STRING || node.kind === Kind.INT
        ? parseValue(node.kind === Kind.INT ? Number(node.value) : valueFromASTUntyped(node, variables))
        : refuse(`${name} must be written as a string or an integer.`),
  });
}

const scalars: Readonly<Record<string, GraphQLScalarType>> = {
  DateTime,
  LanguageTag,
  MinorUnits,
  Micros,
  URL: URLScalar,
  JSON: JSONScalar,
};

/** Returns resolvers of the shared scalars that a subgraph's SDL defines. */
export function scalarResolvers(sdl: string): Record<string, GraphQLScalarType> {
  return Object.fromEntries(
    Object.entries(scalars).filter(([name]) => new RegExp(`^scalar ${name}\\b`, 'm').test(sdl)),
  );
}
