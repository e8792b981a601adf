import { describe, expect, test } from 'vitest';
import { isUniqueViolation, StoreUnavailable } from '../errors.ts';
import { isWorthRetrying, translatePostgresError } from './postgres-errors.ts';

/** An error as the driver creates it from the fields of an ErrorResponse. */
function driverError(code: string, message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), { name: 'PostgresError', severity: 'ERROR', code, ...fields });
}

/** What Citus passes on from another node: code, message, detail and context, and no name of a constraint. */
function errorOfAnotherNode(code: string, message: string): Error {
  return driverError(code, message, { where: 'while executing command on worker-1.internal:5432' });
}

describe('the constraint that rejected a row', () => {
  test.each([
    'access_groups_name',
    'api_keys_hash',
    'members_email',
    'passkeys_credential_id',
    'site_hosts_domain',
    'site_hosts_name',
    'site_hosts_reserved_name',
    'sites_domain',
    'sites_slug',
    'sources_name',
  ])('%s is recognized from PostgreSQL, from another node of Citus and from a shard on this one', (name) => {
    const message = `duplicate key value violates unique constraint "${name}"`;
    const shardMessage = `duplicate key value violates unique constraint "${name}_102038"`;
    for (const error of [
      driverError('23505', message, { constraint_name: name }),
      errorOfAnotherNode('23505', shardMessage),
      driverError('23505', shardMessage, { constraint_name: `${name}_102038` }),
    ]) {
      expect(isUniqueViolation(translatePostgresError(error), name)).toBe(true);
    }
  });

  test.each([
    'doppelter Schlüsselwert verletzt Unique-Constraint »members_email_1020381«',
    'la valeur d’une clé dupliquée rompt la contrainte unique « members_email_1020381 »',
    'llave duplicada viola restricción de unicidad «members_email_1020381»',
    '重複したキー値は一意性制約"members_email_1020381"違反となります',
    'повторяющееся значение ключа нарушает ограничение уникальности "members_email_1020381"',
  ])('is recognized in another language: %s', (message) => {
    const error = translatePostgresError(errorOfAnotherNode('23505', message));
    expect(isUniqueViolation(error, 'members_email')).toBe(true);
  });

  test('another constraint is not taken for it', () => {
    const error = errorOfAnotherNode(
      '23505',
      'duplicate key value violates unique constraint "members_email_index_102038"',
    );
    expect(isUniqueViolation(translatePostgresError(error), 'members_email')).toBe(false);
    expect(translatePostgresError(errorOfAnotherNode('23505', 'duplicate key value'))).toMatchObject({
      constraint: '',
    });
  });
});

test('errors of another node are translated by their code', () => {
  const lost = 'connection to the remote node gatehouse@worker-1.internal:5432 failed';
  expect(translatePostgresError(driverError('08006', lost))).toBeInstanceOf(StoreUnavailable);
  const deadlock = 'canceling the transaction since it was involved in a distributed deadlock';
  expect(isWorthRetrying(driverError('40P01', deadlock))).toBe(true);
  const own = driverError('42P01', 'relation "members_102040" does not exist');
  expect(translatePostgresError(own)).toBe(own);
});
