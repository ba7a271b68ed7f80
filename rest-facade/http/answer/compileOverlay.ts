type Data = Record<string, unknown>;

/**
 * Compiles the overlay of a route. The members of the objects at these paths replace those with the same name in the
 * surrounding record, unless they are null; later objects take precedence. The objects themselves are removed. A record
 * without such an object is unchanged. Null if the route has no overlay.
 *
 * @returns a function that does not modify its argument
 */
export function compileOverlay(paths: readonly (readonly string[])[]): ((record: Data) => Data) | null {
  if (paths.length === 0) return null;
  // A member inside another one is removed with it.
  const hidden = paths.filter(
    (path) => !paths.some((other) => other.length < path.length && startsWith(path, other)),
  );
  return (record) => {
    const result = { ...record };
    for (const path of paths) replaceMembers(result, objectAt(record, path));
    for (const path of hidden) remove(result, path);
    return result;
  };
}

function replaceMembers(record: Data, overlay: Data | null): void {
  for (const [name, value] of Object.entries(overlay ?? {})) {
    if (value !== null && Object.hasOwn(record, name)) record[name] = value;
  }
}

function objectAt(record: Data, path: readonly string[]): Data | null {
  let value: unknown = record;
  for (const name of path) value = isObject(value) ? value[name] : null;
  return isObject(value) ? value : null;
}

/**
 * Removes a member. The objects on the path are copied, because the result of an execution may contain one of them
 * twice.
 */
function remove(record: Data, [name = '', ...rest]: readonly string[]): void {
  const member = record[name];
  if (rest.length === 0) delete record[name];
  else if (isObject(member)) {
    const copy = { ...member };
    remove(copy, rest);
    record[name] = copy;
  }
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name);
}

function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
