import { Readable } from 'node:stream';
import { createMediaFromStream } from '../../subgraphs/identity/media/createMediaFromStream.ts';
import { MediaModel } from '../../subgraphs/identity/media/model.ts';
import { scoped } from '../../subgraphs/platform/installation/scoped.ts';
import { product } from '../../test/support/product.ts';
import { runFileJob } from '../../test/support/runFileJob.ts';
import { toPdf } from './toPdf.ts';

const world = product();
const { market } = world;

test('a generated paper of the demonstration passes the checks of an upload', async () => {
  const installationId = market.installation.id;
  const { _id } = await createMediaFromStream(
    { installationId, platform: world.stack.platform },
    {
      owner: { type: 'dealer', id: 'dlr_any' },
      purpose: 'verification',
      filename: 'id.pdf',
      contentType: 'application/pdf',
      bytes: Readable.from([toPdf(['Register (extract)', 'HRB 98765 B', 'a \\ b'])]),
    },
  );
  await runFileJob(world.stack, 'processing');
  const record = await scoped(MediaModel, installationId).findOne({ _id });
  expect(record).toMatchObject({ state: 'ready', kind: 'document', contentType: 'application/pdf' });
});
