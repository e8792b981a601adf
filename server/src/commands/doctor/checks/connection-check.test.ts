import { expect, test } from 'vitest';
import { forEachStoreVersion, stopInTheEnd } from '../../../../test/stores.ts';
import { openDatabase } from '../../../storage/open.ts';
import { checkConnections } from './connection-check.ts';

forEachStoreVersion((store) => {
  test.runIf(store.dialect === 'postgres')('doctor warns of more connections than allowed', async () => {
    const database = openDatabase(await store.migratedUrl(), { poolSize: 2 });
    stopInTheEnd(() => database.close());
    const few = await checkConnections(database, { workers: 2, databasePoolSize: 10 });
    expect(few).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('at most 26 of this machine'),
    });
    const many = await checkConnections(database, { workers: 64, databasePoolSize: 100 });
    expect(many).toMatchObject({ status: 'warning', advice: expect.stringContaining('max_connections') });
  });
});
