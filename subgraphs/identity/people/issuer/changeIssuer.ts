import { IssuerModel, type IssuerRecord } from './model.ts';

/**
 * Enables or disables an external issuer.
 *
 * @throws Error with the remedy if the issuer does not exist
 */
export async function setIssuerState(_id: string, state: IssuerRecord['state'], at: Date): Promise<void> {
  const { matchedCount } = await IssuerModel.updateOne({ _id }, { $set: { state, updatedAt: at } });
  if (matchedCount === 0) throw unknown(_id);
}

/**
 * Deletes an external issuer. Accounts keep their identities at it.
 *
 * @throws Error with the remedy if the issuer does not exist
 */
export async function removeIssuer(_id: string): Promise<void> {
  const { deletedCount } = await IssuerModel.deleteOne({ _id });
  if (deletedCount === 0) throw unknown(_id);
}

function unknown(id: string): Error {
  return new Error(`the issuer ${id} does not exist. List all issuers with: npm run issuers -- list`);
}
