import type { AccessRule } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { ordinarySites } from '../../../../test/gate/ordinary-addresses.ts';
import { decide } from './access-decision.ts';
import { compileAccessTree } from './access-tree.ts';

const decisions = Object.entries(ordinarySites).map(([program, { rules, addresses }]) => {
  const tree = compileAccessTree(rules);
  const decided = addresses.map((address) => {
    const target = encodeURI(address).replace(/#.*/, '').replaceAll('%25', '%');
    const request = {
      target,
      method: () => 'GET',
      isPreflight: () => false,
      time: 0,
      ipAddress: () => undefined,
    };
    return { address, found: decide(tree, request, null, 'active'), wanted: nearest(rules, address) };
  });
  return { program, decided };
});

test('2,000 ordinary addresses follow the nearest rule, exactly as it is written', () => {
  const all = decisions.flatMap(({ program, decided }) => decided.map((each) => ({ program, ...each })));
  expect(new Set(all.map(({ program, address }) => program + address)).size).toBeGreaterThan(2_000);
  const others = all.filter(({ found, wanted }) => found.rule?.path !== wanted?.path);
  expect(others.map(({ program, address, found }) => [program, address, found.reason])).toEqual([]);
});

/** The rule that applies to a path without any look at how it is written. */
function nearest(rules: readonly AccessRule[], address: string): AccessRule | undefined {
  const path = `${address.replace(/[?#].*/, '').replace(/\/$/, '')}/`;
  const matches = ({ path: own }: AccessRule) =>
    own.endsWith('*')
      ? path.startsWith(own.slice(0, -1))
      : `${path}`.startsWith(own === '/' ? '/' : `${own}/`);
  return rules.filter(matches).sort((one, other) => other.path.length - one.path.length)[0];
}
