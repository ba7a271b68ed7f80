import type { ClientSession } from 'mongoose';
import { InstallationModel, type InstallationRecord } from './Installations.ts';

/** Stores a new installation. A host that belongs to another installation rejects as a duplicate key. */
export async function storeInstallation(record: InstallationRecord): Promise<void> {
  await InstallationModel.create(record);
}

/** Changes the base URL of an installation. Running processes use it within seconds. */
export async function setBaseUrl(installationId: string, baseUrl: string): Promise<void> {
  await InstallationModel.updateOne({ _id: installationId }, { $set: { baseUrl } });
}

/**
 * Writes the installation in a transaction that may remove an administrator. Of two concurrent transactions, one is
 * retried and sees the other's change.
 */
export async function countAdministratorChange(
  installationId: string,
  session: ClientSession,
): Promise<void> {
  await InstallationModel.updateOne(
    { _id: installationId },
    { $inc: { administratorChanges: 1 } },
    { session },
  );
}
