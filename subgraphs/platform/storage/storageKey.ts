const keyPattern = /^ins_\w{1,64}\/[a-z][a-z-]{0,31}\/[\w-]{1,128}$/;

/**
 * Key of stored bytes: `<installation>/<area>/<name>`, as in `ins_…/exports/exp_…`. It is made of ids, never of what a
 * person wrote, and every store refuses another shape.
 *
 * @throws RangeError for parts that are no ids: a bug
 */
export function storageKey(installationId: string, area: string, name: string): string {
  return assertStorageKey(`${installationId}/${area}/${name}`);
}

/** @throws RangeError for a text that `storageKey` did not make */
export function assertStorageKey(key: string): string {
  if (keyPattern.test(key)) return key;
  throw new RangeError('This is not a key of stored bytes.');
}
