import rxjsX from 'eslint-plugin-rxjs-x';
import tseslint from 'typescript-eslint';

/** The house: a folder may import only from those to its left. */
const folders = [
  'chat',
  'tool',
  'event',
  'memory',
  'service',
  'provider',
  'testing',
  'timeline',
  'angular',
  'sse-response',
  'mcp',
  'ag-ui',
  'ui-message-stream',
  'otel',
  'demo',
];

const walls = folders.map((folder, place) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `\\.\\./(${[...folders.slice(place + 1), 'index'].join('|')})[./]`,
            message: `${folder}/ may import only from ${folders.slice(0, place).join(', ') || 'itself'}: see "The house" in CONTRIBUTING.md.`,
          },
          { regex: '^node:', message: 'The library also runs in browsers: ask for Node at run time.' },
        ],
      },
    ],
  },
}));

// The demo is a program for Node, not a part of the library.
const demo = {
  files: ['src/demo/**/*.ts'],
  rules: { 'no-restricted-imports': 'off' },
};

/** The app has a tsconfig of its own. Here it reads the sources of the package, which need not be built for that. */
const app = {
  files: ['test/angular/app/**/*.ts'],
  languageOptions: { parserOptions: { project: './test/angular/tsconfig.lint.json' } },
};

export default tseslint.config(
  { ignores: ['dist/**', 'test/angular/{dist,.angular}/**', 'test/bench/**', 'test/**/*.js'] },
  tseslint.configs.recommendedTypeChecked,
  rxjsX.configs.strict,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: new URL('..', import.meta.url).pathname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      // Closures have no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      complexity: ['error', 15],
      'max-depth': ['error', 3],
    },
  },
  ...walls,
  demo,
  app,
);
