import { type Change, toChange } from '../Change.ts';
import type { Json } from './Json.ts';
import { labelOf, type Operation } from './OpenApi.ts';
import type { SchemaDiff } from './Position.ts';

/** Parameters by the name that a client sees: location and name; in the path, their position. */
type Parameters = ReadonlyMap<string, Json>;

/** Compares the parameters of a route in path, query, headers and cookies. */
export function diffParameters(before: Operation, after: Operation, diffSchemas: SchemaDiff): Change[] {
  const [known, present] = [parametersOf(before), parametersOf(after)];
  const changes: Change[] = [];
  for (const [key, was] of known) {
    const is = present.get(key);
    const path = `${before.name} ${labelOf(was)}`;
    if (is) {
      changes.push(...diffParameter(was, is, path));
      changes.push(...diffSchemas('request', was.schema, is.schema, { place: path, member: '' }));
    } else if (was.in === 'header' || was.in === 'cookie') {
      changes.push(toChange('header-removed', path, `${before.name} ignores the ${labelOf(was)} now.`));
    } else {
      changes.push(toChange('parameter-removed', path, `${before.name} refuses the ${labelOf(was)} now.`));
    }
  }
  for (const [key, is] of present) {
    if (known.has(key)) continue;
    const path = `${before.name} ${labelOf(is)}`;
    const kind = is.required === true ? 'required-parameter-added' : 'parameter-added';
    const words = is.required === true ? 'demands' : 'may carry';
    changes.push(toChange(kind, path, `${before.name} ${words} the ${labelOf(is)} now.`));
  }
  return changes;
}

function parametersOf({ name, parameters }: Operation): Parameters {
  const positions = [...name.matchAll(/\{([^}]*)\}/g)].map(([, parameter]) => parameter);
  return new Map(
    parameters.map((parameter) => {
      const own = String(parameter.name);
      // Header names are case-insensitive (RFC 9110, 5.1).
      const label = parameter.in === 'header' ? own.toLowerCase() : own;
      const name = parameter.in === 'path' ? String(positions.indexOf(own)) : label;
      return [`${String(parameter.in)} ${name}`, parameter];
    }),
  );
}

function diffParameter(was: Json, is: Json, path: string): Change[] {
  const changes: Change[] = [];
  const [wasRequired, isRequired] = [was.required === true, is.required === true];
  if (!wasRequired && isRequired)
    changes.push(toChange('parameter-became-required', path, `${path} is required now.`));
  if (wasRequired && !isRequired)
    changes.push(toChange('parameter-became-optional', path, `${path} may be left out now.`));
  const [wasStyle, isStyle] = [styleOf(was), styleOf(is)];
  if (wasStyle !== isStyle) {
    const message = `${path} is written as ${isStyle}, before as ${wasStyle}.`;
    changes.push(toChange('parameter-style-changed', path, message));
  }
  return changes;
}

/** Returns the style, with the defaults of OpenAPI 3.1, 4.8.12.2. */
function styleOf({ in: place, style, explode }: Json): string {
  const isForm = place === 'query' || place === 'cookie';
  const name = typeof style === 'string' ? style : isForm ? 'form' : 'simple';
  const isExploded = typeof explode === 'boolean' ? explode : name === 'form';
  return isExploded ? `${name} by repetition` : name;
}
