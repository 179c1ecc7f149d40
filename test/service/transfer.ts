/** A model that moves money: to alice, and from bob, who has none. */
export const transfer = {
  rounds: ['(CD)|', '-z|'],
  script: {
    calls: {
      C: { name: 'credit', arguments: '{"account":"alice","amount":5}' },
      D: { name: 'debit', arguments: '{"account":"bob","amount":5}' },
    },
  },
};
