import type { InterfaceName, Segment } from './Route.ts';

/** Prefix of templates whose root is configuration. */
const restRootPlaceholder = '{rest_root}';

/** Default path of B and C. */
export const defaultRestRoot = '/api/rest';

const parameterPattern = /^\{([a-z][A-Za-z0-9]*)\}$/;
const literalPattern = /^[A-Za-z0-9._~-]*$/;

/**
 * Reads a path template into segments. Every segment is a literal of unreserved characters or exactly one
 * parameter; a mixture (`{a}-{b}`) is refused because it would need a guess where one parameter ends.
 *
 * @param template from the root, `{rest_root}` already replaced
 * @throws Error that names the segment
 */
export function parseTemplate(template: string): Segment[] {
  if (!template.startsWith('/')) throw new Error(`path "${template}" does not start with a slash`);
  return template
    .slice(1)
    .split('/')
    .map((text) => {
      const parameter = parameterPattern.exec(text)?.[1];
      if (parameter) return { parameter };
      if (!literalPattern.test(text))
        throw new Error(`path segment "${text}" is neither literal nor parameter`);
      return { literal: text };
    });
}

/** Returns the template with the configured root of B and C; templates of A are unchanged. */
export function withRestRoot(template: string, restRoot: string): string {
  return template.startsWith(restRootPlaceholder)
    ? restRoot + template.slice(restRootPlaceholder.length)
    : template;
}

/** Returns the names of a template's parameters in order. */
export function parametersOf(template: string): string[] {
  return parseTemplate(withRestRoot(template, '')).flatMap((segment) =>
    'parameter' in segment ? [segment.parameter] : [],
  );
}

/** Returns the interface of a template, or null if it belongs to none. */
export function interfaceOf(template: string): InterfaceName | null {
  if (template.startsWith('/api/v1/') || template.startsWith('/.well-known/')) return 'A';
  if (template.startsWith(`${restRootPlaceholder}/seo-tools/v1/`)) return 'B';
  if (template.startsWith(`${restRootPlaceholder}/translation/v1/`)) return 'C';
  return null;
}
