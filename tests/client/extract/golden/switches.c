/* Choices among numbers of parameters, iterators and data. */
void switches(int n, int kind, const int tag[n], double x[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    switch (i % 2) {
      case 0:
        x[i] = 1;
        break;
      default:
        x[i] = 2;
    }
    switch (tag[i]) {
      case 1 ... 3:
        x[i] += 4;
      case 7:
        x[i] *= 5;
        break;
      case 8:
        x[i] = kind == 2 ? 6 : x[i];
    }
  }
#pragma endscop
}
