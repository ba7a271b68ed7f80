import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import type { AckOwner } from '../../../subgraphs/seo/ai/acknowledgement/acknowledgements.ts';
import { opensFor } from '../../../subgraphs/seo/ai/acknowledgement/acknowledgements.ts';
import { AcknowledgementModel } from '../../../subgraphs/seo/ai/acknowledgement/model.ts';
import { policyVersion } from '../../../subgraphs/seo/ai/acknowledgement/privacyPolicy.ts';
import { firstSettings } from '../../../subgraphs/seo/ai/settings/aiSettings.ts';
import { AiSettingsModel } from '../../../subgraphs/seo/ai/settings/model.ts';

const providerHost = 'models.example';

/** Ids of existing acknowledgements of users and installations, so that a refused call creates none. */
export const storedAcknowledgements = {
  somebodys: newId('aiAcknowledgement'),
  installations: newId('aiAcknowledgement'),
  elsewhere: newId('aiAcknowledgement'),
};

/** Enables AI in two installations, with an acknowledged provider whose address does not respond. */
export async function storeAi(here: string, elsewhere: string): Promise<void> {
  for (const installationId of [here, elsewhere]) await openGate(installationId);
  const { somebodys, installations, elsewhere: foreign } = storedAcknowledgements;
  const installation = { scope: 'installation', userId: null } as const;
  await storeAcknowledgement(here, { scope: 'user', userId: newId('user') }, { _id: somebodys });
  await storeAcknowledgement(here, installation, { _id: installations });
  await storeAcknowledgement(elsewhere, installation, { _id: foreign });
}

async function openGate(installationId: string): Promise<void> {
  await scoped(AiSettingsModel, installationId).insert({
    ...firstSettings(installationId),
    enabled: true,
    baseUrl: `https://${providerHost}/v1`,
    model: 'small',
    apiKey: { sealed: 'unreadable', last4: null },
  });
  const owner = { scope: 'installation', userId: null } as const;
  await storeAcknowledgement(installationId, owner, { opens: opensFor(owner, providerHost) });
}

/**
 * Stores an acknowledgement and returns its id.
 *
 * @param opens what it is valid for. Nothing by default, as for an earlier provider
 */
export async function storeAcknowledgement(
  installationId: string,
  owner: AckOwner,
  { opens, _id = newId('aiAcknowledgement') }: { opens?: string; _id?: string } = {},
): Promise<string> {
  await scoped(AcknowledgementModel, installationId).insert({
    _id,
    ...owner,
    policyVersion,
    textHash: 'sha256:0',
    locale: 'en',
    providerHost: opens === undefined ? 'earlier.example' : providerHost,
    dataCategories: ['title'],
    acknowledgedBy: owner.userId ?? newId('user'),
    acknowledgedAt: new Date(),
    client: { ipHash: '', userAgentHash: '' },
    revokedAt: null,
    revokedBy: null,
    ...(opens !== undefined && { opens }),
  });
  return _id;
}
