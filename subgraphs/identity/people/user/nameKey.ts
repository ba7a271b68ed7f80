import type { Query, Schema } from 'mongoose';
import type { UserRecord } from './model.ts';

/**
 * Returns a name in its searchable form: compatible letters, lower case, no marks, single spaces. The same typed prefix
 * finds "Ångström MÜLLER" and "angstrom muller".
 */
export function toNameKey(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cc}\p{Cf}]+/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Adds the plugin that maintains the searchable form, so that code that writes a name need not do it. */
export function keepNameKey(schema: Schema<UserRecord>): void {
  schema.add({
    nameKey: {
      type: String,
      default(this: UserRecord) {
        return toNameKey(this.displayName);
      },
    },
  });
  schema.pre(['findOneAndUpdate', 'updateMany'], function (this: Query<unknown, UserRecord>) {
    const update = this.getUpdate();
    const set = Array.isArray(update) ? undefined : update?.$set;
    if (typeof set?.displayName === 'string') set.nameKey = toNameKey(set.displayName);
  });
}
