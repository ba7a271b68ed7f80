import mongoose from 'mongoose';
import { product } from '../../test/support/product.ts';
import type { RoutedProduct } from '../product/openProduct.ts';
import { openSamples } from './openSamples.ts';

const { stack } = product();

afterEach(() =>
  mongoose.connection.collection<{ _id: string }>('leases').deleteOne({ _id: 'demonstration-samples' }),
);

test('data of an earlier version, without the users of the samples, is reported with the remedy by one start', async () => {
  const start = async () => {
    const lines: string[] = [];
    await openSamples({ platform: stack.platform } as RoutedProduct, (line) => lines.push(line))();
    return lines;
  };
  expect(await start()).toEqual([
    'demonstration: without samples. The data was created by an earlier version and has no user admin@demo.example. ' +
      'Start with another DATA_DIR to see them.',
  ]);
  expect(await start()).toEqual([]);
});
