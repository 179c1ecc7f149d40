/** The smallest useful program, as a browser gets it: with RxJS, which size-limit would leave out as a peer, and without zod. */
export default [
  {
    name: 'aiService, tool and openAiChat, with RxJS and without zod',
    path: ['../dist/index.js', '../dist/openai.js'],
    import: { '../dist/index.js': '{ aiService, tool }', '../dist/openai.js': '{ openAiChat }' },
    ignore: ['zod/v4/core'],
    gzip: true,
    limit: '64.5 kB',
    modifyEsbuildConfig: (config) => ({ ...config, external: config.external.filter((name) => name !== 'rxjs') }),
  },
];
