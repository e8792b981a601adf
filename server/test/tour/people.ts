/** Numbers from 0 to below 1, the same ones in each run (mulberry32). */
export function sameNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Person {
  readonly displayName: string;
  readonly email: string;
}

/** Invented people: every name is a common given name and a common family name of one region. */
const regions: readonly (readonly [given: string, family: string])[] = [
  ['Anna Lukas Clara Jonas Greta Felix Johanna Moritz', 'Weber Schäfer Brandt Lehmann Vogel Hartmann'],
  ['Chloé Hugo Manon Théo Camille Antoine Élise', 'Laurent Moreau Girard Fontaine Mercier Dubois'],
  ['Lucía Mateo Carmen Pablo Inés Javier', 'Herrera Navarro Vidal Campos Ortega'],
  ['Giulia Marco Chiara Davide Elena', 'Conti Marchetti Ferrara Galli'],
  ['Olivia Harry Amelia George Isla Oscar', 'Bennett Hughes Carter Whitfield Palmer'],
  ['Freja Elias Astrid Nils Saga', 'Lindqvist Berglund Nyström Dahl'],
  ['Zofia Jakub Hanna Piotr', 'Nowak Zieliński Kamiński'],
  ['Ayşe Emre Elif Deniz', 'Yılmaz Aydın Demir'],
  ['Amara Chidi Ngozi Tunde', 'Okafor Adeyemi Balogun'],
  ['Priya Arjun Meera Rohan', 'Sharma Iyer Kulkarni'],
  ['Aiko Haruto Yui Kenji', 'Mori Tanaka Fujita'],
  ['Layla Omar Yasmin Karim', 'Haddad Mansour Nasser'],
  ['Beatriz Tiago Mariana', 'Carvalho Teixeira Figueiredo'],
];

const mailboxes = ['mail.example.org', 'post.example.net', 'inbox.example.com'];

/** So many people with different names. */
export function inventPeople(count: number, random: () => number): Person[] {
  const people = new Map<string, Person>();
  while (people.size < count) {
    const [given, family] = draw(regions, random);
    const displayName = `${draw(given.split(' '), random)} ${draw(family.split(' '), random)}`;
    const name = toLatin(displayName).replace(' ', '.');
    if (!people.has(displayName))
      people.set(displayName, { displayName, email: `${name}@${draw(mailboxes, random)}` });
  }
  return [...people.values()];
}

export function draw<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ı: 'i', ł: 'l' };

function toLatin(name: string): string {
  return name
    .toLowerCase()
    .replace(/[äöüßıł]/g, (letter) => umlauts[letter]!)
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}
