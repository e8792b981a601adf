import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { billOfMaterials, type LockedPackages } from './bill-of-materials.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  packages: LockedPackages;
};
const licenses = ['## react-dom - 19.3.1 (MIT)\n\nMIT\n\n## react - 19.3.1 (MIT)\n\n## ISC License (ISC)\n'];
const contents = { version: '1.2.3', locked: packages, licenses, further: ['@scalar/fastify-api-reference'] };

test('the bill of materials lists each package with its version, license and hash', () => {
  const bill = billOfMaterials(contents);
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(bill.components.map((component) => component.purl)).toEqual([
    `pkg:npm/%40scalar/fastify-api-reference@${packages['node_modules/@scalar/fastify-api-reference']!.version}`,
    'pkg:npm/react-dom@19.3.1',
    'pkg:npm/react@19.3.1',
  ]);
  const [reference, dom, react] = bill.components;
  expect(reference).toMatchObject({ group: '@scalar', name: 'fastify-api-reference' });
  expect(react).toMatchObject({
    type: 'library',
    name: 'react',
    version: '19.3.1',
    licenses: [{ license: { id: 'MIT' } }],
    externalReferences: [{ type: 'distribution', url: packages['node_modules/react']!.resolved }],
  });
  const [hash] = react!.hashes;
  expect(hash!.alg).toBe('SHA-512');
  expect(`sha512-${Buffer.from(hash!.content, 'hex').toString('base64')}`).toBe(
    packages['node_modules/react']!.integrity,
  );
  expect(bill.dependencies).toContainEqual({ ref: dom!.purl, dependsOn: [react!.purl] });
  expect(bill.dependencies[0]).toEqual({
    ref: 'pkg:generic/gatehouse@1.2.3',
    dependsOn: [reference!.purl, dom!.purl],
  });
});

test('the same contents have the same bill of materials', () => {
  expect(JSON.stringify(billOfMaterials(contents))).toBe(JSON.stringify(billOfMaterials(contents)));
});

test('a package that is built in and not locked is an error', () => {
  const unknown = { ...contents, licenses: ['## react - 0.0.1 (MIT)\n'] };
  expect(() => billOfMaterials(unknown)).toThrow('react 0.0.1 is built in, and not in package-lock.json.');
});
