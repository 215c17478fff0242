// Rows that consist of heads, as a row of keys does of three.
void scores(int tokens, int width, int heads, const float *keys, float *out) {
  int row = 3 * width;
  int part = width / heads;
#pragma scop
  for (int t = 0; t < tokens; t++)
    for (int h = 0; h < heads; h++) {
      const float *query = keys + t * row + h * part;
      for (int s = 0; s <= t; s++)
        for (int i = 0; i < part; i++)
          out[(t * heads + h) * tokens + s] += query[i] * keys[s * row + width + h * part + i];
    }
#pragma endscop
}
