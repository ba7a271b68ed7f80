import { openMediaWorld } from '../../subgraphs/identity/media/processing/fixture/mediaWorld.ts';
import { product } from '../../test/support/product.ts';
import { toPdf } from './toPdf.ts';

const world = product();

test('a generated PDF of the demonstration passes the upload checks', async () => {
  const files = await openMediaWorld(world.stack, world.market.installation.id);
  const paper = toPdf(['Register (extract)', 'HRB 98765 B', 'a \\ b']);
  const { _id } = await files.upload(paper, {
    owner: { type: 'dealer', id: 'dlr_any' },
    purpose: 'verification',
    filename: 'id.pdf',
    contentType: 'application/pdf',
  });
  await files.run('process');
  expect(await files.find(_id)).toMatchObject({
    state: 'ready',
    kind: 'document',
    contentType: 'application/pdf',
  });
  await files.media.deleteMany({});
  await files.close();
});
