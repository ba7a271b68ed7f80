const keyPattern = /^ins_\w{1,64}\/[a-z][a-z-]{0,31}\/[\w-]{1,128}$/;

/**
 * Returns the key of stored bytes: `<installation>/<area>/<name>`, as in `ins_…/exports/exp_…`. It consists of ids
 * only, never of user input, and every store refuses another form.
 *
 * @throws RangeError if a part is not an id, which is a bug
 */
export function storageKey(installationId: string, area: string, name: string): string {
  return assertStorageKey(`${installationId}/${area}/${name}`);
}

/**
 * Returns the key if its form is valid.
 *
 * @throws RangeError for a text that `storageKey` did not create
 */
export function assertStorageKey(key: string): string {
  if (keyPattern.test(key)) return key;
  throw new RangeError('This is not a key of stored bytes.');
}
