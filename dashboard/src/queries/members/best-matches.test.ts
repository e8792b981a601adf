import { expect, test } from 'vitest';
import { bestMatchesFirst } from './best-matches.ts';

const carla = { email: 'ada.rossi@example.com', displayName: 'Carla Neumann' };
const adam = { email: 'adam@example.com', displayName: 'Adam Weber' };
const king = { email: 'king@example.com', displayName: 'King, Ada' };
const nobody = { email: 'adana@example.com', displayName: null };
const ada = { email: 'ada@example.com', displayName: 'Countess Lovelace' };
const jan = { email: 'jan@xn--bcher-kva.example', displayName: 'Jan van der Berg' };
const all = [carla, adam, king, nobody, jan, ada];

test.each([
  ['ada', [ada, king, adam, nobody, carla, jan]],
  [' ADA ', [ada, king, adam, nobody, carla, jan]],
  ['ada@example.com', [ada, carla, adam, king, nobody, jan]],
  ['jan@bücher.example', [jan, carla, adam, king, nobody, ada]],
  ['van der berg', [jan, carla, adam, king, nobody, ada]],
  ['adam w', [adam, carla, king, nobody, jan, ada]],
  ['example', all],
  ['@', all],
  ['', all],
])('%j names the best match first, and leaves the others in their order', (typed, ordered) => {
  expect(bestMatchesFirst(all, typed)).toEqual(ordered);
});
