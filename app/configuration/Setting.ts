/** Variables of the process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variable. Its value and its row in the documentation are derived from this declaration. */
export interface Setting<T> {
  readonly name: string;
  /** Value while the variable is unset or empty, in Markdown. */
  readonly fallback: string;
  /** Completes "it must be", in Markdown. */
  readonly allowed: string;
  /** Purpose of the setting, in Markdown. */
  readonly meaning: string;
  /**
   * Reads the setting.
   *
   * @throws Error with the name of the variable, the error and the remedy
   */
  read(environment: Environment): T;
}

/** Settings of one concern, by the member of the configuration that holds the value. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** Members of every kind of setting. */
interface Declaration<F> {
  readonly meaning: string;
  /** Value while the variable is unset or empty; a function if it depends on other variables. */
  readonly fallback?: F | ((environment: Environment) => F);
  /** Text that the documentation shows as the default instead of the value. */
  readonly shown?: string;
}

/** Parses the text of a variable. */
interface Kind<T> {
  readonly allowed: string;
  /** A refusal does not repeat a secret. */
  readonly isSecret?: boolean;
  /**
   * Parses the text.
   *
   * @param refuse throws, and names the invalid part of the text
   */
  parse(text: string, refuse: (wrong: string) => never): T;
}

/** Declares a variable of any kind. */
export function setting<T, F = undefined>(
  name: string,
  { meaning, fallback, shown, allowed, isSecret = false, parse }: Declaration<F> & Kind<T>,
): Setting<T | F> {
  const refuse = (wrong: string): never => {
    const said = isSecret ? 'cannot be used' : `is "${wrong}"`;
    throw new Error(`${name} ${said}; it must be ${allowed.replaceAll('`', '')}.`);
  };
  return {
    name,
    meaning,
    allowed,
    fallback: shown ?? describe(fallback),
    read(environment) {
      const text = environment[name];
      if (text) return parse(text, refuse);
      return typeof fallback === 'function'
        ? (fallback as (environment: Environment) => F)(environment)
        : (fallback as F);
    },
  };
}

function describe(fallback: unknown): string {
  if (fallback === undefined) return 'unset';
  if (typeof fallback === 'boolean') return fallback ? '`on`' : '`off`';
  return `\`${String(fallback)}\``;
}

/** Declares a text, optionally with a required format. */
export function text<F = undefined>(
  name: string,
  {
    allowed = 'any text',
    accepts = () => true,
    ...declaration
  }: Declaration<F> & Partial<Omit<Kind<string>, 'parse'>> & { accepts?: (text: string) => boolean },
): Setting<string | F> {
  return setting<string, F>(name, {
    ...declaration,
    allowed,
    parse: (value, refuse) => (accepts(value) ? value : refuse(value)),
  });
}

/** Declares a whole number. */
export function integer<F = undefined>(
  name: string,
  { least, most, ...declaration }: Declaration<F> & { least: number; most: number },
): Setting<number | F> {
  return setting<number, F>(name, {
    ...declaration,
    allowed: `a whole number from ${least} to ${most}`,
    parse(value, refuse) {
      const number = Number(value);
      return /^\d+$/.test(value) && number >= least && number <= most ? number : refuse(value);
    },
  });
}

/** Declares a setting with a fixed set of values. */
export function choice<T extends string, F extends T | undefined = undefined>(
  name: string,
  { words, ...declaration }: Declaration<F> & { words: readonly T[] },
): Setting<T | F> {
  return setting<T, F>(name, {
    ...declaration,
    allowed: `one of ${words.map((word) => `\`${word}\``).join(', ')}`,
    parse: (value, refuse) => words.find((word) => word === value) ?? refuse(value),
  });
}

/** Declares a switch. */
export function toggle(
  name: string,
  declaration: Declaration<boolean> & Required<Pick<Declaration<boolean>, 'fallback'>>,
): Setting<boolean> {
  return setting<boolean, boolean>(name, {
    ...declaration,
    allowed: '`on` or `off`',
    parse: (value, refuse) => (value === 'on' ? true : value === 'off' ? false : refuse(value)),
  });
}

/** Declares a comma-separated list of texts; empty if the variable is unset. */
export function list(
  name: string,
  {
    accepts = () => true,
    ...declaration
  }: Declaration<never> & Omit<Kind<string>, 'parse'> & { accepts?: (item: string) => boolean },
): Setting<readonly string[]> {
  return setting<readonly string[], readonly string[]>(name, {
    ...declaration,
    fallback: [],
    shown: 'unset',
    parse(value, refuse) {
      const items = value.split(',').filter((item) => item !== '');
      const wrong = items.find((item) => !accepts(item));
      return wrong === undefined ? items : refuse(wrong);
    },
  });
}

/** Declares the address of another server, without a path. */
export function serverAddress(
  name: string,
  declaration: Declaration<undefined>,
): Setting<string | undefined> {
  return text(name, {
    ...declaration,
    allowed: 'a URL without a path, such as `https://host.example:9000`',
    accepts: (value) => /^https?:\/\/[^/?#@]+\/?$/.test(value),
  });
}

/**
 * Returns a value that another setting requires.
 *
 * @param condition as in `STORAGE=s3`
 * @throws Error with the name of the variable and the remedy
 */
export function required<T>(
  { name, allowed }: Setting<T | undefined>,
  value: T | undefined,
  condition: string,
): T {
  if (value !== undefined) return value;
  throw new Error(`${name} is not set; with ${condition} it must be ${allowed.replaceAll('`', '')}.`);
}

/** Values of settings, by the names of their members. */
export type Values<S extends Settings> = {
  [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** Reads all settings of a concern. */
export function readAll<S extends Settings>(settings: S, environment: Environment): Values<S> {
  const values = Object.entries(settings).map(([member, { read }]) => [member, read(environment)]);
  return Object.fromEntries(values) as Values<S>;
}
