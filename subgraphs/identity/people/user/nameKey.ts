import type { Query, Schema } from 'mongoose';
import type { UserRecord } from './model.ts';

/**
 * A name in the form in which names are compared: compatible letters, lower case, no marks, single spaces. The typed
 * beginning of one finds "Ångström MÜLLER" as well as "angstrom muller".
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

/** Plugin of the model: code that stores or changes a name need not know that it is searched. */
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
